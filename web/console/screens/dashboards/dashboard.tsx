import { useQuery } from '@tanstack/react-query'
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
import { formatSince, formatSpan } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { BoardView } from '../../boards/board-view.tsx'
import { dashboardLede } from './lede.ts'
import type { Answer, Dashboard } from '../../boards/queries.ts'
import { settled } from '../../../../src/features/programme/dashboards/grid.ts'
import { dashboardQuery, periodOf, useData, type BoardState } from '../../boards/stored.ts'
import { nameInWords } from '../../boards/titles.ts'

const EditDashboard = lazy(() =>
  import('../../boards/edit.tsx').then(({ EditDashboard }) => ({ default: EditDashboard })),
)
const Shares = lazy(() => import('./shares.tsx').then(({ Shares }) => ({ default: Shares })))

/** Figures side by side, as of one moment. */
export function DashboardScreen() {
  const words = useWords()
  const { dashboardId = '' } = useParams({ strict: false })
  const { edit }: BoardState = useSearch({ strict: false })
  const mayManage = useMay('dashboards.manage')
  const navigate = useNavigate()
  const read = useQuery(dashboardQuery(dashboardId))
  if (!read.data)
    return (
      <Screen title={words('dashboards:dashboard')} above={above(words)}>
        <Loaded query={read}>{() => null}</Loaded>
      </Screen>
    )
  if (!edit || !mayManage) return <Shown key={dashboardId} dashboard={read.data.dashboard} mayManage={mayManage} />
  const at = { to: '/app/dashboards/$dashboardId', params: { dashboardId } } as const
  return (
    <Suspense>
      <EditDashboard
        key={dashboardId}
        read={read.data}
        title={nameInWords(read.data.dashboard, words)}
        above={above(words)}
        onLeave={() => void navigate({ ...at, ignoreBlocker: true })}
        onGo={(search) => navigate({ ...at, search })}
      />
    </Suspense>
  )
}

function above(words: ReturnType<typeof useWords>) {
  return { to: '/app/dashboards', label: words('frame:screens.dashboards') }
}

function Shown({ dashboard, mayManage }: { dashboard: Dashboard; mayManage: boolean }) {
  const words = useWords()
  const navigate = useNavigate()
  const { days: ofLastDays, from, to }: BoardState = useSearch({ strict: false })
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
      title={nameInWords(dashboard, words)}
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
                  <BoardView dashboard={dashboard} answers={answers} until={period.to} />
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
