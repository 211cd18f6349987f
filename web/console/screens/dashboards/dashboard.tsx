import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty } from '../../../ui/parts.tsx'
import { useMay } from '../../app/me.ts'
import { PeriodPicker } from '../../figures/period-picker.tsx'
import { daysOf, type PeriodState } from '../../figures/period.ts'
import { Loaded } from '../../frame/loaded.tsx'
import { Screen } from '../../frame/screen.tsx'
import { sayAll } from '../../lede/say.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatSince, formatSpan } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { Board } from './board.tsx'
import { dashboardLede } from './lede.ts'
import { Picture } from './picture.tsx'
import type { Answer, Dashboard } from './queries.ts'
import { settled } from './grid.ts'
import type { DashboardState } from './state.ts'

const EditDashboard = lazy(() => import('./edit.tsx').then(({ EditDashboard }) => ({ default: EditDashboard })))
const Shares = lazy(() => import('./shares.tsx').then(({ Shares }) => ({ default: Shares })))

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

/** Figures side by side, as of one moment. */
export function DashboardScreen() {
  const words = useWords()
  const { dashboardId = '' } = useParams({ strict: false })
  const { edit }: DashboardState = useSearch({ strict: false })
  const mayManage = useMay('dashboards.manage')
  const read = useQuery(dashboardQuery(dashboardId))
  if (!read.data)
    return (
      <Screen title={words('dashboards:dashboard')} above={above(words)}>
        <Loaded query={read}>{() => null}</Loaded>
      </Screen>
    )
  if (!edit || !mayManage) return <Shown key={dashboardId} dashboard={read.data.dashboard} mayManage={mayManage} />
  return (
    <Suspense>
      <EditDashboard key={dashboardId} read={read.data} />
    </Suspense>
  )
}

export function above(words: ReturnType<typeof useWords>) {
  return { to: '/app/dashboards', label: words('frame:screens.dashboards') }
}

/** The period of the address, or the dashboard's own. */
function periodOf({ from, to, days }: DashboardState, { period }: Dashboard): PeriodState {
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

function Shown({ dashboard, mayManage }: { dashboard: Dashboard; mayManage: boolean }) {
  const words = useWords()
  const navigate = useNavigate()
  const { days: ofLastDays, from, to }: DashboardState = useSearch({ strict: false })
  const [isSharing, setSharing] = useState(false)
  const asked: PeriodState =
    from !== undefined && to !== undefined ? { from, to } : ofLastDays === undefined ? {} : { days: ofLastDays }
  const data = useData(dashboard.id, asked)
  const state = periodOf(asked, dashboard)
  const days = daysOf(state, dashboard.timezone, new Date())
  const edit = () =>
    void navigate({
      to: '/app/dashboards/$dashboardId',
      params: { dashboardId: dashboard.id },
      search: { edit: true },
    })
  const boxes = settled(dashboard.widgets.map(({ id, layout }) => ({ id, ...layout })))
  return (
    <Screen
      title={dashboard.name}
      above={above(words)}
      end={
        <>
          <PeriodPicker
            state={state}
            days={days}
            text={formatSpan(days.from, days.to)}
            onChange={(search) =>
              void navigate({ to: '/app/dashboards/$dashboardId', params: { dashboardId: dashboard.id }, search })
            }
          />
          {mayManage && (
            <>
              <Button onClick={() => setSharing(true)}>
                <Icon name="link" isSmall />
                {words('dashboards:share')}
              </Button>
              <Button look="primary" onClick={edit}>
                {words('dashboards:edit')}
              </Button>
            </>
          )}
        </>
      }
    >
      {data.isFetching && data.data && <div className="refetching" />}
      {dashboard.widgets.length === 0 ? (
        <Empty
          title={words('dashboards:noWidgets')}
          actions={
            mayManage && (
              <Button look="primary" onClick={edit}>
                {words('dashboards:addWidget')}
              </Button>
            )
          }
        >
          <p>{words('dashboards:noWidgetsText')}</p>
        </Empty>
      ) : (
        <div className="in">
          <Loaded query={data}>
            {({ widgets, snapshot_at: at, period }) => {
              const answers = widgets as unknown as Record<string, Answer>
              const ordered = boxes.flatMap(({ id }) => dashboard.widgets.find((widget) => widget.id === id) ?? [])
              const told = dashboardLede(ordered, answers)
              return (
                <>
                  <div role="status" style={{ marginBlockEnd: 20 }}>
                    {told && <p className="lede">{sayAll(told, words)}</p>}
                    <p className="sub">{words('dashboards:asOf', { at: formatSince(at) })}</p>
                  </div>
                  <Board boxes={boxes}>
                    {(box) => {
                      const widget = dashboard.widgets.find(({ id }) => id === box.id)
                      return (
                        widget && (
                          <>
                            <h2 className="cut">
                              <bdi>{widget.title}</bdi>
                            </h2>
                            <div className="body">
                              <Picture widget={widget} answer={answers[widget.id]} until={period.to} />
                            </div>
                          </>
                        )
                      )
                    }}
                  </Board>
                </>
              )
            }}
          </Loaded>
        </div>
      )}
      {isSharing && (
        <Suspense>
          <Shares id={dashboard.id} onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </Screen>
  )
}
