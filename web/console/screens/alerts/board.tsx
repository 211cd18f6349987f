import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Skeleton } from '../../../ui/parts.tsx'
import type { Filter } from '../../app/list-state.ts'
import { unlessLive } from '../../app/live.ts'
import { useMe } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { withinList } from '../../list/beside.tsx'
import { usePersonName } from '../../list/person-name.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { Due, Owner, useRuleName } from './alert-words.tsx'
import { takeOf, useChangeAlert, type Alert } from './change.ts'
import { COLUMN_NAMES, COLUMNS, stepsFrom, stepTo, type ColumnName, type Counts, type Status } from './steps.ts'

const MOST_CARDS = 50
const LOOK_MS = 15_000

interface Props {
  chips: Filter[]
  counts: Counts
  shown: ColumnName
  openId: string | undefined
  mayManage: boolean
  onResolve: (alert: Alert) => void
}

/** The alerts in a column for each step. Those that are due first stand first. */
export function Board(props: Props) {
  const [dragged, setDragged] = useState<Alert | null>(null)
  return (
    <div className="board">
      {COLUMN_NAMES.map((name) => (
        <Column key={name} name={name} {...props} dragged={dragged} onDrag={setDragged} />
      ))}
    </div>
  )
}

interface Dragging {
  dragged: Alert | null
  onDrag: (alert: Alert | null) => void
}

function Column({ name, chips, counts, shown, ...rest }: Props & Dragging & { name: ColumnName }) {
  const words = useWords()
  const move = useMove(rest.onResolve)
  const [isOver, setOver] = useState(false)
  const { dragged } = rest
  const to = dragged && stepTo(name, dragged.status)
  const filter = JSON.stringify({ all: [...chips, { field: 'status', op: 'one_of', value: COLUMNS[name] }] })
  const sort = name === 'resolved' ? '-opened_at' : 'due_at'
  const cards = useQuery({
    queryKey: ['alerts', 'column', filter],
    queryFn: () => answerOf(api.GET('/v1/alerts', { params: { query: { limit: MOST_CARDS, filter, sort } } })),
    placeholderData: keepPreviousData,
    refetchInterval: unlessLive(LOOK_MS),
  })
  const count = COLUMNS[name].reduce((sum, status) => sum + counts[status], 0)
  const title = words(`list:values.${name}`)
  return (
    <section
      className={`column ${name === shown ? 'shown' : ''} ${to ? 'target' : ''} ${isOver && to ? 'over' : ''}`}
      aria-label={title}
      onDragOver={(event) => {
        if (!to) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (dragged && to) move(dragged, to)
        rest.onDrag(null)
      }}
    >
      <header>
        <h2>{title}</h2>
        <span className="faint figure">{formatNumber(count)}</span>
      </header>
      {cards.error && !cards.data ? (
        <Problem error={cards.error} onRetry={() => void cards.refetch()} />
      ) : cards.isPending ? (
        <Skeleton label={words('frame:loading')} rows={3} />
      ) : (
        <>
          <ul>
            {cards.data.data.map((alert) => (
              <Card key={alert.id} alert={alert} {...rest} />
            ))}
          </ul>
          {count > cards.data.data.length && (
            <Link
              className="button quiet"
              to="/app/alerts"
              search={{ as: 'list', filter: JSON.parse(filter) as Filter } as never}
            >
              {words('alerts:more', { n: formatNumber(count - cards.data.data.length) })}
            </Link>
          )}
        </>
      )}
    </section>
  )
}

function Card({
  alert,
  openId,
  mayManage,
  onResolve,
  onDrag,
}: Omit<Props, 'chips' | 'counts' | 'shown'> & Dragging & { alert: Alert }) {
  const words = useWords()
  const me = useMe()
  const ruleName = useRuleName()
  const person = usePersonName(alert.person_id)
  const change = useChangeAlert()
  const taking = mayManage ? takeOf(alert, me.user?.id) : null
  const take = () => taking && change.mutate({ seen: alert, body: taking, text: words('alerts:taken') })
  return (
    <li
      className={`card ${alert.id === openId ? 'current' : ''}`}
      draggable={mayManage}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', alert.id)
        event.dataTransfer.effectAllowed = 'move'
        onDrag(alert)
      }}
      onDragEnd={() => onDrag(null)}
      onKeyDown={(event) => {
        if (event.key !== 'a' || event.metaKey || event.ctrlKey || event.altKey || !taking) return
        event.stopPropagation()
        take()
      }}
    >
      <Link
        className="said"
        to="/app/alerts/$alertId"
        params={{ alertId: alert.id }}
        {...withinList()}
        draggable={false}
        aria-current={alert.id === openId ? 'true' : undefined}
      >
        <bdi dir="auto">{alert.excerpt ?? ruleName(alert.rule_id)}</bdi>
      </Link>
      <div className="line">
        {alert.score !== null && <ScoreOf alert={alert} />}
        {person !== null && <bdi className="strong cut">{person}</bdi>}
        <bdi className="faint cut">{ruleName(alert.rule_id)}</bdi>
      </div>
      <div className="line">
        <Due alert={alert} />
        <span className="end">
          {mayManage && <MoveMenu alert={alert} onTake={taking ? take : undefined} onResolve={onResolve} />}
          <Owner id={alert.owner_id} />
        </span>
      </div>
    </li>
  )
}

export function ScoreOf({ alert }: { alert: Alert }) {
  const words = useWords()
  return (
    <span className="score low" title={words('list:fields.score')}>
      <span className="unseen">{words('list:fields.score')} </span>
      {alert.score === null ? '' : formatNumber(alert.score, 1)}
    </span>
  )
}

interface MoveProps {
  alert: Alert
  etag?: string
  onTake?: (() => void) | undefined
  onResolve: (alert: Alert) => void
}

/** The steps that this alert can take. */
export function MoveMenu({ alert, etag, onTake, onResolve }: MoveProps) {
  const words = useWords()
  const move = useMove(onResolve, etag)
  const label = words('alerts:move')
  return (
    <Menu
      label={label}
      size="square"
      groups={[
        ...(onTake ? [{ items: [{ label: words('alerts:take'), icon: 'check', onChoose: onTake }] }] : []),
        {
          title: label,
          items: stepsFrom(alert.status).map((to) => ({
            label: words(`list:values.${to}`),
            onChoose: () => move(alert, to),
          })),
        },
      ]}
    >
      <Icon name="ellipsis" />
    </Menu>
  )
}

/** Takes a step. The step to `resolved` asks for words first. */
function useMove(onResolve: (alert: Alert) => void, etag?: string) {
  const words = useWords()
  const change = useChangeAlert()
  return (alert: Alert, to: Status) => {
    if (to === 'resolved') return onResolve(alert)
    change.mutate({
      seen: alert,
      etag,
      body: { status: to },
      text: words('alerts:moved', { status: words(`list:values.${to}`) }),
      ...(to === 'closed' && { undo: { status: 'reopened' as const } }),
    })
  }
}
