import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Empty, Status } from '../../../ui/parts.tsx'
import { isUnread, Unread } from '../../frame/loaded.tsx'
import { unlessLive, useLive } from '../../app/live.ts'
import { useMay } from '../../app/me.ts'
import type { Filter, ListState } from '../../app/list-state.ts'
import { Call } from '../../frame/call.tsx'
import { Screen, useAddressed } from '../../frame/screen.tsx'
import { NotAllowed } from '../../frame/failure.tsx'
import { ColumnPicker, keepColumns, shownColumns } from '../../list/column-picker.tsx'
import { chipsOf } from '../../list/filter/conditions.ts'
import { Count, Waiting } from '../../list/count.tsx'
import { useFields } from '../../list/filter/fields.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { webhookNamesQuery } from '../../list/names.ts'
import { KindTabs, useKindCounts } from '../../list/kind-tabs.tsx'
import { useListState } from '../../list/list-state.ts'
import { useSelection } from '../../list/selection.ts'
import { Table, type Column } from '../../list/table.tsx'
import { TakeOut } from '../../list/take-out.tsx'
import { Views } from '../../list/filter/views.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatMoment, formatNumber, formatSince } from '../../words/format.ts'
import { TimeAgo, TimeUntil } from '../../words/time-ago.tsx'
import { useLanguage, useWords, type Words } from '../../words/words.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { DeliveryBatch } from './delivery-batch.tsx'
import { useDeliveryPages, type Delivery } from './delivery-pages.ts'
import { PERIODS, periodOf, withoutPeriod, withPeriod } from './period.ts'
import { KINDS, stateOf, type Kind } from './states.ts'

const Replay = lazy(() => import('./replay-by-filter.tsx').then(({ ReplayByFilter }) => ({ default: ReplayByFilter })))

const NAME = 'deliveries'
const LIVE_MS = 5_000
const COUNTS_MS = 15_000

/** Every delivery, live. */
export function Deliveries() {
  const words = useWords()
  if (!useMay('integrations.manage'))
    return (
      <Screen title={words('frame:screens.deliveries')}>
        <NotAllowed permission="integrations.manage" />
      </Screen>
    )
  return <DeliveryList />
}

function DeliveryList() {
  const words = useWords()
  const navigate = useNavigate()
  const { state, change } = useListState()
  const [isHeld, hold] = useState(false)
  const [isReplaying, setReplaying] = useAddressed('replay')
  const fields = useFields('webhook_deliveries')
  const filter = state.filter === undefined ? undefined : JSON.stringify(state.filter)
  const list = useDeliveryPages(state, { isHeld, refreshEvery: LIVE_MS })
  const selection = useSelection(filter ?? '')
  const all = useColumns()
  const wanted = state.columns?.join(' ')
  const shown = useMemo(() => shownColumns(NAME, all, wanted?.split(' ')), [all, wanted])
  const kind = kindOf(state.filter)
  const period = periodOf(state.filter)
  const others = chipsOf(state.filter).filter((chip) => !isOfKind(chip))
  const counts = useKindCounts({
    queryKey: ['delivery-counts'],
    refreshEvery: unlessLive(COUNTS_MS),
    filters: {
      all: { all: others },
      waiting: { all: [...KINDS.waiting, ...others] },
      again: { all: [...KINDS.again, ...others] },
      delivered: { all: [...KINDS.delivered, ...others] },
      dead: { all: [...KINDS.dead, ...others] },
    },
    fetchPage: (each) =>
      answerOf(
        api.GET('/v1/webhook-deliveries', { params: { query: { limit: 1, count: 'true' as const, filter: each } } }),
      ),
  })
  const choose = (next: Kind) => {
    const chips = [...KINDS[next], ...others]
    change({ filter: chips.length === 0 ? undefined : { all: chips } } as Partial<ListState>)
  }
  return (
    <Screen
      title={words('frame:screens.deliveries')}
      end={
        <>
          <Tail stands={list.stands} readAt={list.readAt} />
          <Button
            look="quiet"
            aria-label={words(isHeld ? 'deliveries:live' : 'deliveries:hold')}
            aria-pressed={isHeld}
            onClick={() => hold(!isHeld)}
          >
            <Icon name={isHeld ? 'circle' : 'pause'} isSmall />
            <span className="wide">{words(isHeld ? 'deliveries:live' : 'deliveries:hold')}</span>
          </Button>
          <Views entity="webhook_deliveries" state={state} columns={shown.map(({ id }) => id)} onChoose={change} />
        </>
      }
    >
      <div className="tools">
        <KindTabs
          label={words('list:fields.state')}
          kinds={Object.keys(KINDS) as Kind[]}
          chosen={kind}
          counts={counts}
          nameOf={(each) => words(`deliveries:kinds.${each}`)}
          onChoose={choose}
        />
        <Period days={period} onChange={(days) => change({ filter: withPeriod(state.filter, days) } as never)} />
        <FilterBar
          fields={fields}
          filter={withoutPeriod(state.filter)}
          onChange={(next) => change({ filter: withPeriod(next, period) } as never)}
        />
        <div className="end">
          <Waiting list={list} onShow={() => hold(false)} />
          <Button look="quiet" aria-label={words('deliveries:replayBy')} onClick={() => setReplaying(true)}>
            <Icon name="rotate-ccw" isSmall />
            <span className="wide">{words('deliveries:replayBy')}</span>
          </Button>
          <ColumnPicker
            columns={all}
            shown={shown.map(({ id }) => id)}
            onChange={(ids) => {
              keepColumns(NAME, ids)
              change({ columns: ids })
            }}
          />
          <TakeOut source="webhook_deliveries" state={state} columns={shown} rows={list.rows} />
        </div>
      </div>
      {isUnread(list) ? (
        <Unread list={list} />
      ) : list.rows.length === 0 ? (
        chipsOf(state.filter).length > 0 ? (
          <Empty
            title={words('list:nothing')}
            actions={
              <Button onClick={() => change({ filter: undefined } as Partial<ListState>)}>{words('list:clear')}</Button>
            }
          />
        ) : (
          <Empty
            title={words('deliveries:empty')}
            actions={
              <Link className="button primary usual" to="/app/webhooks">
                {words('deliveries:toWebhooks')}
              </Link>
            }
          >
            <p>{words('deliveries:emptyText')}</p>
            <Call path="/v1/webhook-deliveries" />
          </Empty>
        )
      ) : (
        <Table
          label={words('frame:screens.deliveries')}
          className="deliveries"
          columns={shown}
          list={list}
          sort={state.sort ?? '-created_at'}
          onSort={(sort) => change({ sort })}
          selection={selection}
          onOpen={({ id }) =>
            void navigate({
              to: '/app/deliveries/$deliveryId',
              params: { deliveryId: id },
              search: (before) => before,
            })
          }
        />
      )}
      <DeliveryBatch
        selection={selection}
        filter={state.filter}
        matching={list.count?.matching}
        loaded={list.rows.length}
        rows={list.rows}
      />
      <p className="foot">
        <Count count={list.count} />
        <span>{words('deliveries:kept')}</span>
      </p>
      {isReplaying && (
        <Suspense>
          <Replay webhookId={webhookOf(state.filter)} onClose={() => setReplaying(false)} />
        </Suspense>
      )}
    </Screen>
  )
}

/** The time that the list covers. It is a condition of the filter, so that views, batches and links have it too. */
function Period({ days, onChange }: { days: number | null; onChange: (days: number | null) => void }) {
  const words = useWords()
  const nameOf = (each: number | null) =>
    each === null
      ? words('deliveries:anyTime')
      : each === 1
        ? words('deliveries:lastDay')
        : words('figures:lastDays', { count: each, n: each })
  return (
    <Menu
      label={words('figures:period', { days: nameOf(days) })}
      groups={[
        {
          items: [null, ...PERIODS].map((each) => ({
            label: nameOf(each),
            isChosen: each === days,
            onChoose: () => onChange(each),
          })),
        },
      ]}
    >
      <Icon name="calendar-days" isSmall />
      {nameOf(days)}
    </Menu>
  )
}

/** Whether new rows come by themselves, and otherwise how old the list is. */
function Tail({ stands, readAt }: { stands: boolean; readAt: number }) {
  const words = useWords()
  const isLive = useLive()
  if (readAt === 0) return null
  const at = new Date(readAt).toISOString()
  return isLive && !stands ? (
    <Status tone="running" icon="zap">
      {words('deliveries:isLive')}
    </Status>
  ) : (
    <span className="faint nowrap" title={formatMoment(at)}>
      {words('deliveries:asOf', { time: formatSince(at) })}
    </span>
  )
}

function webhookOf(filter: ListState['filter']): string {
  const chip = chipsOf(filter).find((each) => 'field' in each && each.field === 'webhook_id' && each.op === 'eq')
  return chip && 'value' in chip ? String(chip.value) : ''
}

function isSame(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Whether a condition belongs to one of the kinds, and not to the filter beside them. */
function isOfKind(chip: Filter): boolean {
  return Object.values(KINDS)
    .flat()
    .some((each) => isSame(each, chip))
}

function kindOf(filter: ListState['filter']): Kind | null {
  const own = chipsOf(filter).filter(isOfKind)
  const kinds = Object.entries(KINDS) as Array<[Kind, Filter[]]>
  return (
    kinds.find(
      ([, tests]) => tests.length === own.length && tests.every((each) => own.some((chip) => isSame(each, chip))),
    )?.[0] ?? null
  )
}

function isRefusal(status: number | null, error: string | null): boolean {
  return status === null ? error !== null : status < 200 || status > 299
}

/** An id with its middle cut out. */
export function shortId(id: string): string {
  return `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}`
}

function useColumns(): Column<Delivery>[] {
  const words = useWords()
  const language = useLanguage()
  const webhooks = useQuery(webhookNamesQuery)
  return useMemo(
    () => columnsOf(words, new Map((webhooks.data?.data ?? []).map((webhook) => [webhook.id, endpointName(webhook)]))),
    [language, webhooks.data],
  )
}

function columnsOf(words: Words, names: ReadonlyMap<string, string>): Column<Delivery>[] {
  return [
    {
      id: 'status',
      label: words('list:fields.state'),
      className: 'when',
      render: (delivery) => {
        const { tone, name } = stateOf(delivery)
        return (
          <Status tone={tone} icon={name === 'again' ? 'rotate-ccw' : undefined}>
            {words(`deliveries:states.${name}`)}
          </Status>
        )
      },
    },
    {
      id: 'event',
      label: words('list:fields.event'),
      className: 'mono first nowrap',
      render: ({ event, id }) => (
        <Link to="/app/deliveries/$deliveryId" params={{ deliveryId: id }} search={(before) => before} dir="ltr">
          {event}
        </Link>
      ),
    },
    {
      id: 'subject_id',
      copy: ({ subject }) => subject?.id,
      label: words('list:fields.subject'),
      className: 'mono wide',
      render: ({ subject }) =>
        subject?.type === 'response' ? (
          <Link className="link" to="/app/responses/$responseId" params={{ responseId: subject.id }} dir="ltr">
            {shortId(subject.id)}
          </Link>
        ) : (
          <bdi dir="ltr">{subject ? shortId(subject.id) : '–'}</bdi>
        ),
    },
    {
      id: 'webhook_id',
      copy: ({ webhook_id }) => names.get(webhook_id) ?? webhook_id,
      label: words('list:fields.webhook_id'),
      className: 'who cut',
      render: ({ webhook_id }) => <bdi>{names.get(webhook_id) ?? shortId(webhook_id)}</bdi>,
    },
    {
      id: 'attempts',
      label: words('list:fields.attempts'),
      isAtEnd: true,
      className: 'figure wide',
      render: ({ attempts, max_attempts }) =>
        words('list:of', { matching: formatNumber(attempts), all: formatNumber(max_attempts) }),
    },
    {
      id: 'status_code',
      copy: ({ last_status_code }) => last_status_code,
      label: words('deliveries:answer'),
      isAtEnd: true,
      className: 'figure nowrap wide',
      render: ({ last_status_code, last_error }) => {
        const text = last_status_code ?? (last_error === null ? '–' : words('deliveries:noAnswer'))
        return isRefusal(last_status_code, last_error) ? <span className="status bad">{text}</span> : text
      },
    },
    {
      id: 'last_latency_ms',
      label: words('deliveries:took'),
      isAtEnd: true,
      className: 'figure faint wide',
      render: ({ last_latency_ms }) => (last_latency_ms === null ? '–' : formatNumber(last_latency_ms)),
    },
    {
      id: 'created_at',
      label: words('list:fields.created_at'),
      sort: 'created_at',
      isAtEnd: true,
      className: 'faint nowrap wide',
      render: ({ created_at }) => <TimeAgo at={created_at} />,
    },
    {
      id: 'next_attempt_at',
      label: words('list:fields.next_attempt_at'),
      sort: 'next_attempt_at',
      isAtEnd: true,
      className: 'faint nowrap when',
      render: ({ next_attempt_at }) => (next_attempt_at === null ? '' : <TimeUntil at={next_attempt_at} />),
    },
  ]
}
