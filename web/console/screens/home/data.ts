import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { orgQuery } from '../../app/me.ts'
import { askFigures } from '../../figures/ask.ts'
import { daysOf, stretchOf, type Days, type PeriodState } from '../../figures/period.ts'
import { FEWEST, type Compared, type Metric } from '../../lede/figures.ts'
import type { HomeTopic } from '../../lede/home.ts'
import { answerOf, api } from '../../session/api.ts'
import { METRICS } from '../../../../src/survey-engine/model/definition.ts'

export type Figure = Schemas['Figure']
type Found = Record<string, Figure | undefined>

export interface Shown {
  days: Days
  timezone: string
}

/** A group of a figure that is compared with the period before. */
export interface Row {
  key: string
  label: string
  n: number
  enough: boolean
  value: number | null
  metric?: Metric
  interval?: { low: number; high: number }
  previous?: { n: number; value: number | null; interval?: { low: number; high: number } }
  change?: { value: number; low: number; high: number } | null
  groups?: Array<{ by: string; key: string; label: string }>
}

const COMPLETED = { all: [{ field: 'state', op: 'eq', value: 'completed' }] }
const STALE_MS = 60_000
const MOST_SURVEYS = 5
const MOST_PAIRS = 100
const LATEST = 4

export function useShown(state: PeriodState): Shown {
  const { timezone } = useSuspenseQuery(orgQuery).data
  return { days: daysOf(state, timezone, new Date()), timezone }
}

const ask = (body: Schemas['ReadFigures']) => answerOf(api.POST('/v1/figures', { body }))

/** The figures of the workspace. Those that take too long are absent, and those by topic where the server has none. */
export function useFigures({ days, timezone }: Shown) {
  const previous = { compare: 'previous' } as const
  const ofNps = { filter: { all: [{ field: 'metric', op: 'eq', value: 'nps' }] } }
  return useQuery({
    queryKey: ['figures', 'home', days, timezone],
    queryFn: async () => {
      const answer = await askFigures(
        {
          period: days,
          timezone,
          queries: {
            nps: { source: 'responses', measure: 'nps', ...previous },
            csat: { source: 'responses', measure: 'csat', ...previous },
            ces: { source: 'responses', measure: 'ces', ...previous },
            // The rows of the list. Anonymous surveys have none, and are in the figures of all that began.
            answers: { source: 'responses', measure: 'count', filter: COMPLETED, ...previous },
            began: { source: 'responses', measure: 'count', ...previous },
            completed: { source: 'responses', measure: 'completion_rate', ...previous },
            answered: { source: 'sends', measure: 'response_rate', ...previous },
            alerts: { source: 'alerts', measure: 'open_alerts' },
            surveys: { source: 'responses', measure: 'score', by: ['survey'], limit: MOST_SURVEYS, ...previous },
            bands: { source: 'responses', measure: 'count', by: ['band'], ...ofNps, ...previous },
            topics: {
              source: 'responses',
              measure: 'count',
              by: ['topic', 'band'],
              limit: MOST_PAIRS,
              ...ofNps,
              ...previous,
            },
          },
        },
        ask,
      )
      const figures = Object.entries(answer.figures).filter(
        (entry): entry is [string, Figure] => !('error' in entry[1]),
      )
      return { period: answer.period, figures: Object.fromEntries(figures) as Found }
    },
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  })
}

export function useTrend(metric: Metric | null, { days, timezone }: Shown) {
  const { period, interval } = stretchOf(days)
  const query = useQuery({
    queryKey: ['figures', 'home', 'trend', metric, period, timezone],
    queryFn: () =>
      answerOf(
        api.POST('/v1/figures', {
          body: {
            period,
            timezone,
            queries: {
              trend: { source: 'responses', measure: metric ?? 'nps', interval, compare: 'year' },
            },
          },
        }),
      ),
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
    enabled: metric !== null,
  })
  return { query, interval }
}

export function useThemes({ days }: Shown) {
  return useQuery({
    queryKey: ['themes', 'home', days],
    queryFn: () =>
      answerOf(api.GET('/v1/verbatim/themes', { params: { query: { ...days, interval: 'month' as const } } })),
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  })
}

export const latestWordsQuery = {
  queryKey: ['verbatim', 'latest'],
  queryFn: () => answerOf(api.GET('/v1/verbatim', { params: { query: { limit: LATEST } } })),
  staleTime: STALE_MS,
}

export const anySurveyQuery = {
  queryKey: ['surveys', 'any'],
  queryFn: () => answerOf(api.GET('/v1/surveys', { params: { query: { limit: 1 } } })),
  staleTime: STALE_MS,
}

/** The metric that home speaks of: NPS where enough gave one, else that with the most scores. */
export function metricIn(figures: Found): Metric {
  if ((figures['nps']?.n ?? 0) >= FEWEST) return 'nps'
  const [most] = METRICS.toSorted((a, b) => (figures[b]?.n ?? 0) - (figures[a]?.n ?? 0))
  return most ?? 'nps'
}

/** The completed answers, and the filter of the list that has as many rows. Null where some have no row. */
export function answersIn(figures: Found, { from, to }: { from: string; to: string }) {
  const listed = figures['answers']
  const completed = figures['completed']
  const isListed = (listed?.left_out?.length ?? 0) === 0
  const ofRate = (rate: { n: number; value?: number | null } | null | undefined) =>
    Math.round(((rate?.n ?? 0) * (rate?.value ?? 0)) / 100)
  return {
    n: isListed ? (listed?.n ?? 0) : Math.max(listed?.n ?? 0, ofRate(completed)),
    before: isListed ? (listed?.previous?.n ?? 0) : Math.max(listed?.previous?.n ?? 0, ofRate(completed?.previous)),
    filter: isListed
      ? {
          all: [
            ...COMPLETED.all,
            { field: 'completed_at', op: 'gte', value: from },
            { field: 'completed_at', op: 'lt', value: to },
          ],
        }
      : null,
  }
}

/** A figure and that of the period before, as a sentence compares them. */
export function comparedIn(
  figure: Pick<Figure, 'n' | 'value' | 'interval'> | undefined,
  change: Figure['change'],
): Compared {
  return {
    n: figure?.n ?? 0,
    score: figure?.value ?? null,
    interval: figure?.interval ?? null,
    change: change ?? null,
  }
}

export function rowsOf(figure: Figure | undefined): Row[] {
  return (figure?.rows ?? []) as unknown as Row[]
}

/** How many promoters and detractors write about each topic, now and before. */
export function topicsIn(figures: Found): HomeTopic[] {
  const topics = new Map<string, HomeTopic>()
  for (const { groups = [], n, previous } of rowsOf(figures['topics'])) {
    const [topic, band] = groups
    if (!topic || !band) continue
    const none = { now: 0, before: 0 }
    const known = topics.get(topic.key) ?? { name: topic.label, bad: none, good: none }
    const counted = { now: n, before: previous?.n ?? 0 }
    if (band.key === 'detractor') topics.set(topic.key, { ...known, bad: counted })
    if (band.key === 'promoter') topics.set(topic.key, { ...known, good: counted })
  }
  return [...topics.values()]
}

export function bandIn(figures: Found, band: string) {
  const row = rowsOf(figures['bands']).find(({ key }) => key === band)
  return { now: row?.n ?? 0, before: row?.previous?.n ?? 0 }
}
