import { tenantRoute } from '../../../http/routes/route.ts'
import { listTexts } from './anonymous-texts.service.ts'
import { listThemes } from './topics/themes.service.ts'
import { Themes, ThemesQuery, UpdateVerbatim, Verbatim, VerbatimList, VerbatimQuery } from './verbatim.schema.ts'
import { updateVerbatim } from './search/verbatim.service.ts'

const tag = 'Verbatim'

export const listVerbatimRoute = tenantRoute({
  method: 'get',
  path: '/verbatim',
  operationId: 'listVerbatim',
  summary: 'List the texts of respondents with language, sentiment and topics',
  description:
    'Texts of completed responses. A new text appears within seconds of its response. In `filter`, `topic`, ' +
    '`sentiment` and `text` test the text itself. Every other field tests its response.',
  tag,
  query: VerbatimQuery,
  response: { status: 200, schema: VerbatimList },
  handler: (scope, { query }) => listTexts(scope, query),
})

export const listThemesRoute = tenantRoute({
  method: 'get',
  path: '/verbatim/themes',
  operationId: 'listThemes',
  summary: 'Count the topics of a period, with their trend and their effect on the score',
  tag,
  query: ThemesQuery,
  response: { status: 200, schema: Themes },
  handler: (scope, { query }) => listThemes(scope, query),
})

export const updateVerbatimRoute = tenantRoute({
  method: 'patch',
  path: '/verbatim/:response_id/:question_id',
  operationId: 'updateVerbatim',
  summary: 'Correct the sentiment, topics or language of a text',
  description: 'A correction by a person wins and stays. Later classification does not change it.',
  tag,
  permission: 'responses.manage',
  params: { response_id: 'response', question_id: 'text' },
  body: UpdateVerbatim,
  example: { sentiment: 'positive' },
  audit: ['response.correct_text'],
  response: { status: 200, schema: Verbatim },
  problems: { 422: '`unknown_topic`.', 503: '`busy`, or the database cannot be reached. Nothing was stored.' },
  handler: (scope, { params, body }) => updateVerbatim(scope, params, body),
})
