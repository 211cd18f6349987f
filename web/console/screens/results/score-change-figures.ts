import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { askFigures } from '../../figures/ask.ts'
import { answerOf, api } from '../../session/api.ts'
import { usePublished, type Shown, type Survey } from './data.ts'
import { scoreChangesIn, propertiesOf, TEXTS, WHOLE } from './score-change-groups.ts'

const MOST_ROWS = 20

/** The score of each group of answers, and what it is compared with. Undefined until it is counted. */
export function useScoreChanges(survey: Survey, version: number, shown: Shown) {
  const { metric, id, privacy } = survey
  const published = usePublished(id, version)
  const isAsked = metric !== null && privacy !== 'anonymous' && published.data !== undefined
  const properties = published.data ? propertiesOf(published.data) : []
  const { days, timezone, filter, compare } = shown
  const query = {
    source: 'responses' as const,
    measure: metric ?? ('count' as const),
    survey_ids: [id],
    compare: compare === undefined ? ('previous' as const) : (JSON.parse(compare) as never),
    ...(filter !== undefined && { filter: JSON.parse(filter) as never }),
  }
  const queries = [
    [WHOLE, query] as const,
    // Only a response with words has a sentiment.
    [TEXTS, { ...query, measure: 'count' as const, by: ['band', 'sentiment'] }] as const,
    ...properties.map((by, at) => [`by${at}`, { ...query, by: [by], limit: MOST_ROWS }] as const),
  ]
  return useQuery({
    queryKey: ['figures', 'moved', id, days, timezone, filter, compare, properties],
    queryFn: () =>
      askFigures({ period: days, timezone, queries: Object.fromEntries(queries) }, (body) =>
        answerOf(api.POST('/v1/figures', { body })),
      ),
    select: ({ figures }) => scoreChangesIn(metric ?? 'nps', properties, figures),
    placeholderData: keepPreviousData,
    enabled: isAsked,
  })
}
