import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { orgQuery } from '../../app/me.ts'
import { daysOf, stretchOf, type Days } from '../../figures/period.ts'
import type { Metric } from '../../lede/figures.ts'
import { answerOf, api } from '../../session/api.ts'
import { wordsFilter, type ResultsState } from './state.ts'

export type Report = Schemas['Report']
export type Survey = Schemas['Survey']

const FEW_WORDS = 4

export function useSurvey(id: string) {
  return useQuery({
    queryKey: ['surveys', id],
    queryFn: () => answerOf(api.GET('/v1/surveys/{id}', { params: { path: { id } } })),
    staleTime: 60_000,
  })
}

/** The version that respondents see. Its words stand beside the figures, not those of a draft. */
export function usePublished(id: string, version: number) {
  return useQuery({
    queryKey: ['surveys', id, 'definition', version],
    queryFn: () => answerOf(api.GET('/v1/surveys/{id}/definition', { params: { path: { id }, query: { version } } })),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: version > 0,
  })
}

export interface Shown {
  days: Days
  timezone: string
  filter: string | undefined
  compare: string | undefined
}

/** The period and the filters that all calls of the screen share. Anonymous surveys have no filter. */
export function useShown(state: ResultsState, isAnonymous: boolean): Shown {
  const { timezone } = useSuspenseQuery(orgQuery).data
  const text = (filter: unknown) => (filter === undefined || isAnonymous ? undefined : JSON.stringify(filter))
  return {
    days: daysOf(state, timezone, new Date()),
    timezone,
    filter: text(state.filter),
    compare: text(state.compare),
  }
}

export function useReport(id: string, { days, timezone, filter, compare }: Shown) {
  return useQuery({
    queryKey: ['report', id, days, timezone, filter, compare],
    queryFn: () =>
      answerOf(
        api.GET('/v1/surveys/{id}/report', {
          params: {
            path: { id },
            query: {
              ...days,
              timezone,
              interval: 'month' as const,
              ...(filter !== undefined && { filter }),
              ...(compare !== undefined && { compare }),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
  })
}

/** The score over three times the period, and a year before. */
export function useTrend(id: string, metric: Metric | null, { days, timezone, filter }: Shown) {
  const { period, interval } = stretchOf(days)
  const query = useQuery({
    queryKey: ['figures', 'trend', id, period, timezone, filter, metric],
    queryFn: () =>
      answerOf(
        api.POST('/v1/figures', {
          body: {
            period,
            timezone,
            queries: {
              trend: {
                source: 'responses' as const,
                measure: metric ?? ('count' as const),
                survey_ids: [id],
                interval,
                compare: 'year' as const,
                ...(filter !== undefined && { filter: JSON.parse(filter) as never }),
              },
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    enabled: metric !== null,
  })
  return { query, interval, period }
}

export function useThemes(id: string, report: Report | undefined, filter: string | undefined) {
  const period = report?.period
  return useQuery({
    queryKey: ['themes', id, period?.from, period?.to, filter],
    queryFn: () =>
      answerOf(
        api.GET('/v1/verbatim/themes', {
          params: {
            query: {
              ...(period && { from: period.from, to: period.to }),
              interval: 'month' as const,
              filter: JSON.stringify(ofSurvey(id, filter)),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    enabled: period !== undefined,
  })
}

export function useLatestWords(id: string, report: Report | undefined, filter: string | undefined) {
  const period = report?.period
  return useQuery({
    queryKey: ['verbatim', 'latest', id, period?.from, period?.to, filter],
    queryFn: () =>
      answerOf(
        api.GET('/v1/verbatim', {
          params: {
            query: {
              limit: FEW_WORDS,
              filter: JSON.stringify(wordsFilter(id, period ?? { from: '', to: '' }, parse(filter))),
            },
          },
        }),
      ),
    placeholderData: keepPreviousData,
    enabled: period !== undefined,
  })
}

function parse(filter: string | undefined) {
  return filter === undefined ? undefined : (JSON.parse(filter) as NonNullable<ResultsState['filter']>)
}

function ofSurvey(id: string, filter: string | undefined) {
  const own = parse(filter)
  return { all: [{ field: 'survey_id', op: 'eq', value: id }, ...(own ? [own] : [])] }
}
