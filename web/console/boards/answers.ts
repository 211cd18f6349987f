import { useQuery } from '@tanstack/react-query'
import { daysOf, momentsOf } from '../figures/period.ts'
import { answerOf, api, afterPause } from '../session/api.ts'
import { UNAVAILABLE, type Answer, type Dashboard, type Figure, type Widget } from './queries.ts'

/** The part that the widgets of a dashboard share. */
export type Frame = Pick<Dashboard, 'period' | 'timezone' | 'filter'>

const STALE_MS = 60_000
const SHOWN = 'shown'

type Asked = Pick<Widget, 'kind' | 'query'>

/** The figure of a widget that is not saved. Null for a kind that only a saved dashboard counts. */
export function useUnsavedAnswer({ kind, query }: Asked, frame: Frame, isAsked: boolean) {
  return useQuery({
    queryKey: ['figures', 'unsaved', kind, query, frame],
    queryFn: async ({ signal }): Promise<{ answer: Answer | null; until: string }> => {
      await afterPause(signal)
      const until = momentsOf(daysIn(query.period ?? frame.period, frame.timezone), frame.timezone).to
      if (kind === 'funnel') return { answer: null, until }
      if (kind === UNAVAILABLE) return { answer: { error: { code: 'not_available' } }, until }
      return { answer: kind === 'verbatim' ? await texts(query, frame) : await figure({ kind, query }, frame), until }
    },
    staleTime: STALE_MS,
    retry: false,
    enabled: isAsked,
    placeholderData: (before) => before,
  })
}

async function figure({ kind, query }: Asked, { period, timezone, filter }: Frame): Promise<Answer> {
  const isRanked = kind === 'leaderboard'
  const asked = isRanked ? { ...query, by: ['agent'] } : query
  const answer = await answerOf(
    api.POST('/v1/figures', { body: { period, timezone, filter, queries: { [SHOWN]: asked } } as never }),
  )
  const found = answer.figures[SHOWN] as Answer
  return isRanked && found && !('error' in found) ? ranked(found) : found
}

/** By score, the best first. Their places come with the saved dashboard, which knows the ties. */
function ranked(found: Figure): Figure {
  const rows = (found.rows ?? []) as Array<{ value?: number | null }>
  return {
    ...found,
    rows: rows.toSorted((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity)) as Figure['rows'] & {},
  }
}

async function texts(query: Widget['query'], { period, timezone, filter }: Frame): Promise<Figure> {
  const { from, to } = momentsOf(daysIn(query.period ?? period, timezone), timezone)
  const all = [
    { field: 'completed_at', op: 'gte', value: from },
    { field: 'completed_at', op: 'lt', value: to },
    ...(query.survey_ids?.length ? [{ field: 'survey_id', op: 'one_of', value: query.survey_ids }] : []),
    filter,
    ...(query.filter ? [query.filter] : []),
  ]
  const { data } = await answerOf(
    api.GET('/v1/verbatim', { params: { query: { limit: query.limit ?? 5, filter: JSON.stringify({ all }) } } }),
  )
  return { enough: true, n: data.length, unit: 'count', rows: data as Figure['rows'] & {} }
}

function daysIn(period: Dashboard['period'], timezone: string) {
  const state = 'days' in period ? period : { from: period.from.slice(0, 10), to: period.to.slice(0, 10) }
  return daysOf(state, timezone, new Date())
}
