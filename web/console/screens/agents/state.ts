import { useNavigate, useSearch } from '@tanstack/react-router'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { orgQuery } from '../../app/me.ts'
import { daysOf, readPeriod, type Days, type PeriodState } from '../../figures/period.ts'
import type { Metric } from '../../lede/figures.ts'
import { answerOf, api } from '../../session/api.ts'
import { METRICS } from '../../../../src/survey-engine/model/definition.ts'

/** The period, the score and the survey that agents are judged by. */
export interface AgentsState extends PeriodState {
  /** Absent: the one that most answers about agents have. */
  metric?: Metric
  /** Absent: all surveys. */
  survey?: string
}

export function readAgentsState(search: Record<string, unknown>): AgentsState {
  const { metric, survey } = search
  return {
    ...readPeriod(search),
    ...(METRICS.includes(metric as Metric) && { metric: metric as Metric }),
    ...(typeof survey === 'string' && survey !== '' && { survey }),
  }
}

/** The question of both screens of agents, as their address says it. */
export function useAsked() {
  const navigate = useNavigate()
  const present: AgentsState = useSearch({ strict: false })
  const { metric, survey, ...period } = present
  const { timezone } = useSuspenseQuery(orgQuery).data
  const days = daysOf(period, timezone, new Date())
  const usual = useUsualMetric(days, timezone, metric === undefined)
  return {
    metric: metric ?? usual ?? 'nps',
    /** Whether it is known which score is shown. */
    isKnown: metric !== undefined || usual !== null,
    survey,
    period,
    days,
    timezone,
    present,
    go: (next: AgentsState) => void navigate({ to: '.', search: readAgentsState({ ...next }) } as never),
  }
}

/** The score that most answers about agents have. Null until it is known. */
function useUsualMetric(days: Days, timezone: string, isAsked: boolean): Metric | null {
  const { data, error } = useQuery({
    queryKey: ['figures', 'agents', 'metric', days, timezone],
    queryFn: async () => {
      const of = (measure: Metric) => ({ source: 'responses', measure }) as const
      const filter = { all: [{ field: 'agent_id', op: 'is_set' }] }
      const queries = { nps: of('nps'), csat: of('csat'), ces: of('ces') }
      const { figures } = await answerOf(api.POST('/v1/figures', { body: { period: days, timezone, filter, queries } }))
      const countOf = (metric: Metric) => {
        const figure = figures[metric]
        return figure && 'n' in figure ? figure.n : 0
      }
      return METRICS.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? 'nps'
    },
    enabled: isAsked,
    staleTime: 60_000,
  })
  return data ?? (error ? 'nps' : null)
}

export type Asked = ReturnType<typeof useAsked>

/** The parameters of both calls. */
export function parametersOf({ metric, survey, days, timezone }: Asked) {
  return { metric, ...days, timezone, ...(survey !== undefined && { survey_id: survey }) }
}
