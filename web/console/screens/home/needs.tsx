import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { Problem } from '../../frame/failure.tsx'
import { useMay, useMe } from '../../app/me.ts'
import { endpointName } from '../../endpoints/endpoint-name.ts'
import { OPEN_STATUSES } from '../../list/states.ts'
import { answerOf, api } from '../../session/api.ts'
import { formatNumber, formatSince, countText } from '../../words/format.ts'
import { TimeAgo } from '../../words/time-ago.tsx'
import { useWords } from '../../words/words.ts'

const REFRESH_MS = 60_000
const MOST_ENDPOINTS = 100
const UNSENT = JSON.stringify({
  all: [
    { field: 'status', op: 'one_of', value: ['bounced', 'failed'] },
    { field: 'created_at', op: 'within_days', value: 30 },
  ],
})

/** Alerts that are neither resolved nor closed. */
export const OPEN_ALERTS = { all: [{ field: 'status', op: 'one_of', value: OPEN_STATUSES }] }

// Those that are overdue are named already.
const ownQuery = (filter: object) => ({
  queryKey: ['alerts', 'own', filter],
  queryFn: () =>
    answerOf(
      api.GET('/v1/alerts', {
        params: { query: { limit: 1, sort: 'due_at', count: 'true' as const, filter: JSON.stringify(filter) } },
      }),
    ),
  refetchInterval: REFRESH_MS,
})
const overdueQuery = {
  queryKey: ['alerts', 'overdue'],
  queryFn: () =>
    answerOf(
      api.GET('/v1/alerts', {
        params: {
          query: {
            limit: 1,
            sort: 'due_at',
            count: 'true' as const,
            filter: JSON.stringify({ all: [{ field: 'overdue', op: 'eq', value: true }] }),
          },
        },
      }),
    ),
  refetchInterval: REFRESH_MS,
}
const endpointsQuery = {
  queryKey: ['webhooks'],
  queryFn: () =>
    answerOf(api.GET('/v1/webhooks', { params: { query: { limit: MOST_ENDPOINTS, include: 'health' as const } } })),
  refetchInterval: REFRESH_MS,
}
const unsentQuery = {
  queryKey: ['sends', 'unsent'],
  queryFn: () =>
    answerOf(api.GET('/v1/sends', { params: { query: { limit: 1, count: 'true' as const, filter: UNSENT } } })),
  refetchInterval: REFRESH_MS,
}

/** The things that need somebody: first those that are overdue, then those that fail. */
export function Needs() {
  const words = useWords()
  const overdue = useQuery(overdueQuery)
  const me = useMe().user?.id
  const ofMine = {
    all: [
      { field: 'owner_id', op: 'eq', value: me ?? '' },
      ...OPEN_ALERTS.all,
      { field: 'overdue', op: 'eq', value: false },
    ],
  }
  const own = useQuery({ ...ownQuery(ofMine), enabled: me !== undefined })
  const endpoints = useQuery(endpointsQuery)
  const unsent = useQuery(unsentQuery)
  const maySeeDeliveries = useMay('integrations.manage')
  const failed = [overdue, own, endpoints, unsent].find(({ error }) => error)
  const isPending = [overdue, own, endpoints, unsent].some((query) => query.isLoading)
  const webhooks = endpoints.data?.data ?? []
  const failing = webhooks.filter(({ health }) => health?.state === 'failing')
  const dead = webhooks.reduce((sum, { health }) => sum + (health?.dead_lettered ?? 0), 0)
  const late = overdue.data?.count?.matching
  const [oldest] = overdue.data?.data ?? []
  const lost = unsent.data?.count?.matching
  const needs: ReactNode[] = []
  if (late && late.n > 0)
    needs.push(
      <Need
        key="overdue"
        icon="bell"
        tone="bad"
        title={words('home:overdue', { count: late.n, n: countText(late, words) })}
        act={
          oldest?.response_id != null && (
            <Link className="link nowrap" to="/app/responses/$responseId" params={{ responseId: oldest.response_id }}>
              {words('home:seeOldest')}
            </Link>
          )
        }
      >
        {oldest?.due_at != null && (
          <>
            {words('home:oldestDue')} <TimeAgo at={oldest.due_at} />
            {oldest.excerpt !== null && (
              <>
                {': '}
                <bdi>“{oldest.excerpt}”</bdi>
              </>
            )}
          </>
        )}
      </Need>,
    )
  const mine = own.data?.count?.matching
  const [first] = own.data?.data ?? []
  if (mine && mine.n > 0 && first)
    needs.push(
      <Need
        key="own"
        icon="bell"
        tone="warn"
        title={words('home:own', { count: mine.n, n: countText(mine, words) })}
        act={
          mine.n === 1 ? (
            <Link className="link nowrap" to="/app/alerts/$alertId" params={{ alertId: first.id }}>
              {words('home:seeAlert')}
            </Link>
          ) : (
            <Link className="link nowrap" to="/app/alerts" search={{ as: 'list', filter: ofMine }}>
              {words('home:seeDead')}
            </Link>
          )
        }
      >
        {first.excerpt !== null && <bdi>“{first.excerpt}”</bdi>}
      </Need>,
    )
  for (const webhook of failing) {
    const { failing_since: since, waiting, last_failure } = webhook.health ?? {}
    const status = last_failure?.status_code
    needs.push(
      <Need
        key={webhook.id}
        icon="webhook"
        tone="bad"
        title={
          since == null
            ? words('home:fails', { name: endpointName(webhook) })
            : words('home:failsSince', { name: endpointName(webhook), since: formatSince(since) })
        }
        act={
          <Link className="link nowrap" to="/app/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
            {words('home:seeAttempts')}
          </Link>
        }
      >
        {[
          ...(waiting != null && waiting > 0
            ? [words('home:waiting', { count: waiting, n: formatNumber(waiting) })]
            : []),
          ...(status == null ? [] : [words('home:answers', { status })]),
        ].join(' ')}
      </Need>,
    )
  }
  for (const webhook of webhooks) {
    const { state, waiting } = webhook.health ?? {}
    if (state !== 'disabled' || waiting == null || waiting === 0) continue
    needs.push(
      <Need
        key={webhook.id}
        icon="webhook"
        tone="warn"
        title={words('home:off', { name: endpointName(webhook), count: waiting, n: formatNumber(waiting) })}
        act={
          <Link className="link nowrap" to="/app/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
            {words('home:seeEndpoint')}
          </Link>
        }
      >
        {words('home:offText')}
      </Need>,
    )
  }
  if (dead > 0 && maySeeDeliveries)
    needs.push(
      <Need
        key="dead"
        icon="truck"
        tone="bad"
        title={words('home:dead', { count: dead, n: formatNumber(dead) })}
        act={
          <Link
            className="link nowrap"
            to="/app/deliveries"
            search={{ filter: { all: [{ field: 'dead_lettered', op: 'eq', value: true }] } }}
          >
            {words('home:seeDead')}
          </Link>
        }
      >
        {words('home:deadText')}
      </Need>,
    )
  if (lost && lost.n > 0)
    needs.push(
      <Need
        key="unsent"
        icon="mail"
        tone="warn"
        title={words('home:unsent', { count: lost.n, n: countText(lost, words) })}
      >
        {words('home:unsentText')}
      </Need>,
    )
  return (
    <section className="section">
      <header>
        <h2>{words('home:needs')}</h2>
      </header>
      {failed && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      {needs.length > 0 ? (
        <ul className="rows">{needs}</ul>
      ) : (
        !isPending && !failed && <p className="soft">{words('home:nothing')}</p>
      )}
    </section>
  )
}

interface NeedProps {
  icon: string
  tone: 'bad' | 'warn'
  title: string
  act?: ReactNode
  children: ReactNode
}

function Need({ icon, tone, title, act, children }: NeedProps) {
  return (
    <li>
      <span className={`need ${tone}`}>
        <Icon name={icon} />
      </span>
      <div className="grow">
        <h3>
          <bdi>{title}</bdi>
        </h3>
        <p>{children}</p>
      </div>
      {act}
    </li>
  )
}
