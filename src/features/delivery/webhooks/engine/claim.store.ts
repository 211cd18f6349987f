import type { Among } from '../../../../platform/work/across-tenants.ts'
import { sql, type SystemTx, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id, TenantId } from '../../../../platform/ids.ts'
import type { LeasedDelivery } from '../staging/fresh-sender.ts'
import type { Lease } from '../staging/lease.ts'

/** How many rows of an endpoint a claim may take. */
export interface ClaimRequest {
  webhookId: Id<'webhook'>
  limit: number
}

export interface ClaimedRow extends Omit<LeasedDelivery, 'leaseToken'> {
  /** Whether this endpoint has more rows due: the claim looks at one row past the limit. */
  more: boolean
  /** Null when the webhook is gone. */
  enabled: boolean | null
}

const FREE = `(q.lease_until is null or q.lease_until <= $2)`

// An event and a webhook are looked up by their keys, one at a time: `offset 0` keeps the planner from joining by
// reading all of the tenant's. Rows are looked up by an array of their ids.
function claimText(picked: string): string {
  return `
    with picked as (${picked}),
    claimed as (
      update webhook_queue q set lease_until = $3, lease_token = $4, superseded = false
      where q.tenant_id = $1 and q.delivery_id = any(array(select delivery_id from picked where not beyond))
      returning q.delivery_id, q.webhook_id, q.attempts, q.event_id)
    select c.delivery_id as id, c.webhook_id,
      c.webhook_id = any(array(select webhook_id from picked where beyond)) as more, c.attempts, c.event_id,
      e.type as event, e.created_at as event_created_at, e.data, coalesce(e.test, false) as test,
      h.url, h.secret, h.previous_secret, h.previous_secret_expires_at, h.headers, h.enabled, h.last_delivered_at, h.failing_since,
      h.include_text, h.include_custom_data, h.include_answers
    from claimed c
    left join lateral (
      select type, created_at, data, starts_with(source, 'test:') as test from events where tenant_id = $1 and id = c.event_id offset 0) e on true
    left join lateral (
      select url, secret, previous_secret, previous_secret_expires_at, headers, enabled, last_delivered_at,
        failing_since, include_text, include_custom_data, include_answers
      from webhooks where tenant_id = $1 and id = c.webhook_id offset 0) h on true`
}

const CLAIM_DUE = claimText(`
  select w.webhook_id, x.delivery_id, x.place > w.free as beyond
  from unnest($5::uuid[], $6::int[]) as w (webhook_id, free)
  cross join lateral (
    select delivery_id, row_number() over () as place from (
      select q.delivery_id from webhook_queue q
      where q.tenant_id = $1 and q.webhook_id = w.webhook_id and ${FREE} and q.next_attempt_at <= $2
      order by q.next_attempt_at limit w.free + 1 for update skip locked) as due) x`)
// A fresh row is due whatever the clock says: its API process may be some milliseconds ahead of this worker.
const CLAIM_IDS = claimText(`
  select x.webhook_id, x.delivery_id, false as beyond from unnest($5::uuid[]) as w (id) cross join lateral (
    select q.webhook_id, q.delivery_id from webhook_queue q
    where q.tenant_id = $1 and q.delivery_id = w.id and ${FREE}
      and (q.next_attempt_at <= $2 or (q.next_attempt_at is not null and q.attempts = 0))
    for update skip locked) x`)

/**
 * Claims due rows of some endpoints of one tenant, each at most its limit; or the rows of `ids`, whatever their
 * endpoints. In one write with COMMIT: the array holds them once the transaction has committed.
 */
export function claimDeliveries(
  tx: TenantTx,
  requests: ClaimRequest[],
  lease: Lease,
  ids: string[] | null,
): ClaimedRow[] {
  const claimed: ClaimedRow[] = []
  const on = { rows: (rows: ClaimedRow[]) => void claimed.push(...rows) }
  const values = [tx.tenantId, lease.now, lease.until, lease.token]
  if (ids) {
    tx.atCommit({ name: 'claim-ids', text: CLAIM_IDS, values: [...values, ids] }, on)
  } else {
    const [webhookIds, limits] = [
      requests.map((request) => request.webhookId),
      requests.map((request) => request.limit),
    ]
    tx.atCommit({ name: 'claim-due', text: CLAIM_DUE, values: [...values, webhookIds, limits] }, on)
  }
  return claimed
}

/** Gives claimed rows back untouched: no attempt was made. */
export function releaseClaims(tx: TenantTx, token: string, ids: string[]): Promise<unknown[]> {
  return tx.prepared({
    name: 'release-claims',
    text: `update webhook_queue set lease_until = null, lease_token = null
     where tenant_id = $1 and delivery_id = any($2::uuid[]) and lease_token = $3::uuid`,
    values: [tx.tenantId, ids, token],
  })
}

export interface DueEndpoint {
  tenant_id: TenantId
  webhook_id: Id<'webhook'>
  next_attempt_at: Date
}

/** Every endpoint with something queued, and when its earliest row is due: a loose scan of `webhook_queue_due`. */
export function listDueEndpoints(tx: SystemTx, { cluster, reachable }: Among): Promise<DueEndpoint[]> {
  if (cluster)
    return tx.many(sql<DueEndpoint>`
      select tenant_id, webhook_id, min(next_attempt_at) as next_attempt_at from webhook_queue
      where next_attempt_at is not null and ${reachable} group by tenant_id, webhook_id`)
  return tx.many(sql<DueEndpoint>`
    /* not on a cluster */ with recursive endpoint as (
      (select tenant_id, webhook_id, next_attempt_at from webhook_queue
       order by webhook_id, tenant_id, next_attempt_at limit 1)
      union all
      select n.tenant_id, n.webhook_id, n.next_attempt_at from endpoint p cross join lateral (
        select tenant_id, webhook_id, next_attempt_at from webhook_queue q
        where (q.webhook_id, q.tenant_id) > (p.webhook_id, p.tenant_id)
        order by q.webhook_id, q.tenant_id, q.next_attempt_at limit 1) n)
    select tenant_id, webhook_id, next_attempt_at from endpoint where next_attempt_at is not null`)
}
