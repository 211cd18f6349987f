import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Empty, Skeleton } from '../../../ui/parts.tsx'
import type { Filter } from '../../app/list-state.ts'
import { unlessLive } from '../../app/live.ts'
import { useMay } from '../../app/me.ts'
import { Call } from '../../frame/call.tsx'
import { Screen } from '../../frame/screen.tsx'
import { Problem } from '../../frame/failure.tsx'
import { chipsOf } from '../../list/filter/conditions.ts'
import { useFields } from '../../list/filter/fields.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { useListState } from '../../list/list-state.ts'
import { Views } from '../../list/filter/views.tsx'
import { Details } from '../../list/beside.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { AlertList } from './alert-list.tsx'
import { Board } from './board.tsx'
import type { Alert } from './change.ts'
import { alertsLede, COLUMN_NAMES, COLUMNS, type Counts, type AlertsState } from './steps.ts'

const Resolve = lazy(() => import('./resolve.tsx').then(({ Resolve }) => ({ default: Resolve })))
const LOOK_MS = 15_000
const OVERDUE: Filter = { field: 'overdue', op: 'eq', value: true }
const CLOSED: Filter = { field: 'status', op: 'eq', value: 'closed' }

/** Who must be called, by when? */
export function Alerts() {
  const words = useWords()
  const { alertId } = useParams({ strict: false })
  const mayManage = useMay('alerts.manage')
  const { state: plain, change: changeList } = useListState()
  const state: AlertsState = plain
  const change = (next: { [Name in keyof AlertsState]?: AlertsState[Name] | undefined }) => changeList(next as never)
  const fields = useFields('alerts')
  const [resolving, setResolving] = useState<Alert | null>(null)
  const chips = useMemo(() => chipsOf(state.filter), [state.filter])
  const counts = useCounts(chips)
  const overdue = useCounts([...chips, OVERDUE])
  const total = counts.data && Object.values(counts.data).reduce((sum, n) => sum + n, 0)
  const shown = state.column ?? 'new'
  const rules = (
    <Link className="button" to="/app/alerts/rules">
      {words('alerts:rules')}
    </Link>
  )
  return (
    <Screen
      title={words('frame:screens.alerts')}
      end={
        <>
          <Views entity="alerts" state={state} onChoose={change} />
          {rules}
        </>
      }
    >
      <div className={alertId === undefined ? '' : 'alone'}>
        {counts.data && overdue.data && total !== 0 && (
          <Summary counts={counts.data} overdue={sumOf(overdue.data)} isList={state.as === 'list'} />
        )}
        <div className="tools">
          <div className="segmented">
            {(['board', 'list'] as const).map((as) => (
              <button
                key={as}
                type="button"
                aria-pressed={(state.as ?? 'board') === as}
                onClick={() => change({ as: as === 'list' ? as : undefined })}
              >
                {words(`alerts:as.${as}`)}
              </button>
            ))}
          </div>
          <FilterBar fields={fields} filter={state.filter} onChange={(filter) => change({ filter })} />
          <div className="end">
            {counts.data && counts.data.closed > 0 && state.as !== 'list' && (
              <Link
                className="button quiet"
                to="/app/alerts"
                search={{ as: 'list', filter: { all: [...chips, CLOSED] } } as never}
              >
                {words('alerts:closed', { n: formatNumber(counts.data.closed) })}
              </Link>
            )}
          </div>
        </div>
        {state.as !== 'list' && counts.data && (
          <div className="tools columns">
            <div className="segmented">
              {COLUMN_NAMES.map((name) => (
                <button key={name} type="button" aria-pressed={name === shown} onClick={() => change({ column: name })}>
                  {words(`list:values.${name}`)}{' '}
                  {formatNumber(COLUMNS[name].reduce((sum, status) => sum + (counts.data?.[status] ?? 0), 0))}
                </button>
              ))}
            </div>
          </div>
        )}
      </div>
      <div className={alertId === undefined ? 'whole' : 'split'}>
        <div className={alertId === undefined ? 'whole' : 'wide whole'}>
          {counts.error && !counts.data ? (
            <div className="in">
              <Problem error={counts.error} onRetry={() => void counts.refetch()} />
            </div>
          ) : !counts.data ? (
            <Skeleton label={words('frame:loading')} />
          ) : total === 0 ? (
            <Nothing isFiltered={chips.length > 0} onClear={() => change({ filter: undefined })} />
          ) : state.as === 'list' ? (
            <AlertList state={state} openId={alertId} onSort={(sort) => change({ sort })} />
          ) : (
            <Board
              chips={chips}
              counts={counts.data}
              shown={shown}
              openId={alertId}
              mayManage={mayManage}
              onResolve={setResolving}
            />
          )}
        </div>
        {alertId !== undefined && (
          <Details label={words('alerts:detail')} openId={alertId}>
            <Outlet />
          </Details>
        )}
      </div>
      {resolving && (
        <Suspense>
          <Resolve alert={resolving} etag={undefined} onClose={() => setResolving(null)} />
        </Suspense>
      )}
    </Screen>
  )
}

function useCounts(chips: Filter[]) {
  const filter = JSON.stringify({ all: chips })
  return useQuery({
    queryKey: ['alerts', 'counts', filter],
    queryFn: async (): Promise<Counts> =>
      (await answerOf(api.GET('/v1/alerts', { params: { query: { limit: 1, filter } } }))).counts,
    placeholderData: keepPreviousData,
    refetchInterval: unlessLive(LOOK_MS),
  })
}

function sumOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0)
}

interface SummaryProps {
  counts: Counts
  overdue: number
  isList: boolean
}

function Summary({ counts, overdue, isList }: SummaryProps) {
  const words = useWords()
  const lede = alertsLede(counts, overdue, isList)
  return (
    <div className="in" style={{ flex: 'none', paddingBlockEnd: 12 }} role="status">
      <p className="lede">
        {words(`alerts:${lede.key}`, {
          count: lede.overdue || lede.open,
          listed: formatNumber(sumOf(counts)),
          open: formatNumber(lede.open),
          overdue: formatNumber(lede.overdue),
        })}
      </p>
    </div>
  )
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const words = useWords()
  const mayManage = useMay('alerts.manage')
  const navigate = useNavigate()
  if (isFiltered)
    return <Empty title={words('list:nothing')} actions={<Button onClick={onClear}>{words('list:clear')}</Button>} />
  return (
    <Empty
      title={words('alerts:empty')}
      actions={
        mayManage && (
          <Button
            look="primary"
            onClick={() => void navigate({ to: '/app/alerts/rules/$ruleId', params: { ruleId: 'new' } })}
          >
            <Icon name="plus" isSmall />
            {words('alerts:newRule')}
          </Button>
        )
      }
    >
      <p>{words('alerts:emptyText')}</p>
      <Call path="/v1/alerts" />
    </Empty>
  )
}
