import { tenantRoute } from '../../../http/routes/route.ts'
import { Figures, ReadFigures } from './figures.schema.ts'
import { answerQueries } from './asked-figures.service.ts'

export const readFiguresRoute = tenantRoute({
  method: 'post',
  path: '/figures',
  operationId: 'readFigures',
  summary: 'Read figures as of one moment, by queries of your own',
  description:
    'The queries are those of widgets. It changes nothing and needs no permission but that of the list that a query ' +
    'counts. Shares are in per cent. A score or a share of fewer than 5 answers has `enough: false` and no number.',
  tag: 'Dashboards',
  body: ReadFigures,
  idempotent: false,
  audit: { none: 'It only reads.' },
  example: {
    period: { days: 30 },
    timezone: 'Europe/Berlin',
    queries: {
      scores: { source: 'responses', measure: 'score', by: ['survey'], compare: 'previous' },
      answers: { source: 'responses', measure: 'count', interval: 'day' },
    },
  },
  response: { status: 200, schema: Figures },
  problems: { 403: '`forbidden`: a query counts a list that needs a permission.', 422: '`unknown_survey`.' },
  handler: (scope, { body }) => answerQueries(scope, body),
})
