import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type PeriodState, readPeriod } from '../figures/period.ts'
import { answerOf, api } from '../session/api.ts'
import type { Dashboard } from './queries.ts'

export interface BoardState extends PeriodState {
  edit?: true
  /** The widget whose form is open, by its id. */
  widget?: string
}

/** Reads the address. A form is open only while the dashboard is changed. */
export function readBoardState(search: Record<string, unknown>): BoardState {
  const { edit, widget } = search
  return {
    ...readPeriod(search),
    ...(edit === true && { edit }),
    ...(edit === true && typeof widget === 'string' && widget !== '' && { widget }),
  }
}

const STALE_MS = 60_000

/** A dashboard with the tag of what was read, so that nobody writes over a change of somebody else. */
export interface Read {
  dashboard: Dashboard
  etag: string
}

export function dashboardQuery(id: string) {
  return {
    queryKey: ['dashboard', id],
    queryFn: async (): Promise<Read> => {
      const call = api.GET('/v1/dashboards/{id}', { params: { path: { id } } })
      const { response } = await call
      return { dashboard: await answerOf(call), etag: response.headers.get('etag') ?? '' }
    },
  }
}

/** The period of the address, or the dashboard's own. */
export function periodOf({ from, to, days }: PeriodState, { period }: Dashboard): PeriodState {
  if (from !== undefined && to !== undefined) return { from, to }
  if (days !== undefined) return { days }
  return 'days' in period ? period : { from: period.from.slice(0, 10), to: period.to.slice(0, 10) }
}

/** The figures of the saved widgets. Without a period of the address, they are those of the dashboard's own. */
export function useData(id: string, asked: PeriodState) {
  return useQuery({
    queryKey: ['figures', 'dashboard', id, asked],
    queryFn: () => answerOf(api.GET('/v1/dashboards/{id}/data', { params: { path: { id }, query: asked } })),
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  })
}

/** The built-in dashboard has the id of its workspace. */
export function builtInId(workspaceId: string): string {
  return workspaceId.replace(/^[a-z]+_/, 'dsh_')
}

/** Whether the built-in dashboard is as the workspace began with it. */
export function useIsBeginning(dashboard: Dashboard | undefined) {
  const isUntouched = dashboard?.created_at === dashboard?.updated_at
  return useQuery({
    queryKey: ['dashboard', 'beginning', dashboard],
    // Home is light: only a change is compared with the beginning.
    queryFn: async () =>
      dashboard === undefined || isUntouched || (await import('./built-in.ts')).isBeginning(dashboard),
    enabled: dashboard !== undefined,
    staleTime: Infinity,
  })
}
