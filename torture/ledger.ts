import { parseId } from '../src/platform/ids.ts'
import { until } from './load.ts'
import type { Rig } from './rig.ts'
import type { Judge } from './verdict.ts'

export interface LedgerRow {
  id: string
  status: string
  createdAt: number
  deliveredAt: number | null
}

/** Deliveries under a lease now, with its end. */
export async function readLeases(rig: Rig): Promise<Map<string, number>> {
  const rows = await rig.look<{ id: string; lease_until: Date }>(
    'select delivery_id as id, lease_until from webhook_queue where lease_until > clock_timestamp()',
  )
  return new Map(rows.map((row) => [row.id, row.lease_until.getTime()]))
}

/** As if their 45 seconds had passed, for when no worker lives that holds one. */
export async function endLeases(rig: Rig): Promise<void> {
  await rig.look('update webhook_queue set lease_until = now() where lease_until > clock_timestamp()')
}

export async function countUnfinished(rig: Rig): Promise<number> {
  const [row] = await rig.look<{ n: number }>(
    `select count(*)::int as n from webhook_deliveries where status <> 'delivered' and not dead_lettered`,
  )
  return row?.n ?? 0
}

/** Waits until no row is unfinished. Returns whether that came in time. */
export function drained(rig: Rig, timeoutMs: number, say: (left: number) => void): Promise<boolean> {
  const isDone = async () => {
    const left = await countUnfinished(rig).catch(() => 1)
    say(left)
    return left === 0
  }
  return until(isDone, timeoutMs, 250)
}

export async function readLedger(rig: Rig): Promise<LedgerRow[]> {
  const rows = await rig.look<{ id: string; status: string; created_at: Date; delivered_at: Date | null }>(
    'select id, status, created_at, delivered_at from webhook_deliveries',
  )
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    createdAt: row.created_at.getTime(),
    deliveredAt: row.delivered_at?.getTime() ?? null,
  }))
}

/**
 * Every response, acknowledged or only committed, has one event and one row for each of `webhooks`; nothing else is
 * there.
 */
export async function judgeResponses(
  rig: Rig,
  judge: Judge,
  acknowledged: Iterable<string>,
  webhooks: number,
): Promise<void> {
  const rows = await rig.look<{ id: string; events: number; rows: number; hooks: number }>(`
    select r.id, count(distinct e.id)::int as events, count(d.id)::int as rows, count(distinct d.webhook_id)::int as hooks
    from responses r
    left join events e on e.tenant_id = r.tenant_id and e.type = 'response.completed' and split_part(e.source, ':', 2)::uuid = r.id
    left join webhook_deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
    group by r.tenant_id, r.id`)
  const stored = new Set(rows.map((row) => row.id))
  const missing = [...acknowledged].filter((id) => !stored.has(parseId('response', id) ?? ''))
  judge.must('every acknowledged response is stored', missing.length === 0, `${missing.length} are not`)
  const wrong = rows.filter((row) => row.events !== 1 || row.rows !== webhooks || row.hooks !== webhooks)
  judge.must(
    'every committed response has exactly its rows',
    wrong.length === 0,
    `${wrong.length} do not, such as ${JSON.stringify(wrong[0])}`,
  )
  const [stray] = await rig.look<{ events: number; rows: number }>(`
    select (select count(*)::int from events e where not exists (select from responses r where r.tenant_id = e.tenant_id and split_part(e.source, ':', 2)::uuid = r.id)) as events,
      (select count(*)::int from webhook_deliveries d where not exists (select from events e where e.tenant_id = d.tenant_id and e.id = d.event_id)) as rows`)
  judge.must(
    'no event without its response, no row without its event',
    stray?.events === 0 && stray.rows === 0,
    JSON.stringify(stray),
  )
  judge.fact('responses committed', rows.length)
}
