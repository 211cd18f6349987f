import type { TenantTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'

/** How many rows of an endpoint may be taken, and which: null takes the oldest that are due. */
export interface ClaimRequest {
  webhookId: Id<'webhook'>
  limit: number
}

export interface Lease {
  token: string
  now: Date
  until: Date
}

/** A claimed row with all that its attempt needs; `url` is null when the webhook is gone. */
export interface ClaimedRow {
  id: Id<'delivery'>
  webhook_id: Id<'webhook'>
  /** Whether this endpoint has more that is due: one row past the limit was looked at. */
  more: boolean
  attempts: number
  event_id: Id<'event'>
  /** These three are null when the event is gone. */
  event: string | null
  event_created_at: Date | null
  data: string | null
  url: string | null
  secret: string | null
  enabled: boolean | null
  last_delivered_at: Date | null
  failing_since: Date | null
  include_text: boolean
  include_custom_data: boolean
  include_answers: boolean
}

const FREE = `(q.lease_until is null or q.lease_until <= $2)`

// Whatever it takes, an event and a webhook are looked up by their keys, one at a time (`offset 0` keeps the planner from joining
// by reading all of the tenant's), and rows by an array of their ids.
function claimText(picked: string): string {
  return `
    with picked as (${picked}),
    claimed as (
      update webhook_queue q set lease_until = $3, lease_token = $4
      where q.tenant_id = $1 and q.delivery_id = any(array(select delivery_id from picked where not beyond))
      returning q.delivery_id, q.webhook_id, q.attempts, q.event_id)
    select c.delivery_id as id, c.webhook_id, c.webhook_id = any(array(select webhook_id from picked where beyond)) as more, c.attempts, c.event_id,
      e.type as event, e.created_at as event_created_at, e.data,
      h.url, h.secret, h.enabled, h.last_delivered_at, h.failing_since, h.include_text, h.include_custom_data, h.include_answers
    from claimed c
    left join lateral (select type, created_at, data from events where tenant_id = $1 and id = c.event_id offset 0) e on true
    left join lateral (
      select url, secret, enabled, last_delivered_at, failing_since, include_text, include_custom_data, include_answers
      from webhooks where tenant_id = $1 and id = c.webhook_id offset 0) h on true`
}

const CLAIM_DUE = claimText(`
  select w.webhook_id, x.delivery_id, x.place > w.free as beyond from unnest($5::uuid[], $6::int[]) as w (webhook_id, free) cross join lateral (
    select delivery_id, row_number() over () as place from (
      select q.delivery_id from webhook_queue q
      where q.tenant_id = $1 and q.webhook_id = w.webhook_id and ${FREE} and q.next_attempt_at <= $2
      order by q.next_attempt_at limit w.free + 1 for update skip locked) as due) x`)
// A fresh row is due whatever the clock says: its API process may be some milliseconds ahead of this worker.
const CLAIM_IDS = claimText(`
  select x.webhook_id, x.delivery_id, false as beyond from unnest($5::uuid[]) as w (id) cross join lateral (
    select q.webhook_id, q.delivery_id from webhook_queue q
    where q.tenant_id = $1 and q.delivery_id = w.id and ${FREE} and (q.next_attempt_at <= $2 or (q.next_attempt_at is not null and q.attempts = 0))
    for update skip locked) x`)

/**
 * Claims due rows of some endpoints of one tenant, each at most its limit; or the rows of `ids`, whatever their endpoints. In one write with
 * COMMIT: the array holds them once the transaction has committed.
 */
export function claimDeliveries(tx: TenantTx, requests: ClaimRequest[], lease: Lease, ids: string[] | null): ClaimedRow[] {
  const claimed: ClaimedRow[] = []
  const on = { rows: (rows: ClaimedRow[]) => void claimed.push(...rows) }
  const values = [tx.tenantId, lease.now, lease.until, lease.token]
  if (ids) tx.atCommit('claim-ids', CLAIM_IDS, [...values, ids], on)
  else tx.atCommit('claim-due', CLAIM_DUE, [...values, requests.map((request) => request.webhookId), requests.map((request) => request.limit)], on)
  return claimed
}

/** One attempt's result, ready to be written. */
export interface SettledAttempt {
  id: Id<'delivery'>
  /** Of the claim that it was made under; recorded only while the row still bears it. */
  leaseToken: string
  attempts: number
  /** Null when this was the last one. */
  nextAttemptAt: Date | null
  at: Date
  statusCode: number | null
  latencyMs: number | null
  error: string | null
  excerpt: string | null
  timestamp: number | null
  signature: string | null
  bodySha256: string
  omitted: string[]
}

// By the array too: joined to them alone, the planner may read the whole queue.
const FINISHED = `
  delete from webhook_queue q using settled s
  where q.tenant_id = $1 and q.delivery_id = any($2::uuid[]) and q.delivery_id = s.id and q.lease_token = s.lease_token`
// As the update of the ledger returned it.
const OUTCOME = `s.id, d.attempts_logged, s.at, s.status_code, s.latency_ms, s.error, s.excerpt, s.timestamp, s.signature, s.body_sha256, s.omitted`
const LOG = `
  insert into webhook_attempts (tenant_id, delivery_id, n, at, status_code, latency_ms, error, response_excerpt, timestamp, signature, body_sha256, omitted)
  select $1, u.id, u.attempts_logged, u.at, u.status_code, u.latency_ms, u.error, u.excerpt, u.timestamp, u.signature, u.body_sha256, string_to_array(u.omitted, ',')
  from updated u
  returning delivery_id`

// What is the same for every success does not travel: an array of each column costs as much as a column of the table.
const RECORD_SUCCESSES = `
  with settled as (
    select *, null::text as error
    from unnest($2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::int[], $7::int[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[])
    as s (id, lease_token, attempts, at, status_code, latency_ms, excerpt, timestamp, signature, body_sha256, omitted)),
  finished as (${FINISHED} returning q.delivery_id),
  updated as (
    update webhook_deliveries d
    set status = 'delivered', dead_lettered = false, attempts = s.attempts, attempts_logged = d.attempts_logged + 1,
      last_status_code = s.status_code, last_error = null, last_latency_ms = s.latency_ms, delivered_at = s.at
    from settled s
    where d.tenant_id = $1 and d.id = s.id and d.id = any(array(select delivery_id from finished))
    returning ${OUTCOME}),
  succeeded as (
    update webhooks h set last_delivered_at = $14, failing_since = null
    where h.tenant_id = $1 and h.id = any(array(
      select w.id from unnest($13::uuid[]) as given (id) cross join lateral (
        select id from webhooks
        where tenant_id = $1 and id = given.id
          and (last_delivered_at is null or last_delivered_at <= $14::timestamptz - interval '1 second' or failing_since is not null)
        for no key update skip locked) w)))
  ${LOG}`

const RECORD_FAILURES = `
  with settled as (
    select *
    from unnest($2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::int[], $7::int[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::text[],
      $13::text[], $14::timestamptz[])
    as s (id, lease_token, attempts, at, status_code, latency_ms, excerpt, timestamp, signature, body_sha256, omitted, error, next_attempt_at)),
  finished as (${FINISHED} and s.next_attempt_at is null returning q.delivery_id),
  retried as (
    update webhook_queue q set attempts = s.attempts, next_attempt_at = s.next_attempt_at, lease_until = null, lease_token = null
    from settled s
    where q.tenant_id = $1 and q.delivery_id = any($2::uuid[]) and q.delivery_id = s.id and q.lease_token = s.lease_token and s.next_attempt_at is not null
    returning q.delivery_id),
  updated as (
    update webhook_deliveries d
    set status = 'failed', dead_lettered = s.next_attempt_at is null, attempts = s.attempts, attempts_logged = d.attempts_logged + 1,
      last_status_code = s.status_code, last_error = s.error, last_latency_ms = s.latency_ms, delivered_at = null
    from settled s
    where d.tenant_id = $1 and d.id = s.id and d.id = any(array(select delivery_id from finished union all select delivery_id from retried))
    returning ${OUTCOME})
  ${LOG}`

/**
 * Writes successful attempts and their rows' new states with COMMIT. A row whose lease was lost is left alone.
 * Jobs are locked in the order of their ids, as by everybody who locks many of them.
 * `succeeded` are webhooks whose last success is to be noted: those that somebody holds are passed over,
 * because a webhook is locked before its rows everywhere else.
 */
export function recordSuccesses(tx: TenantTx, attempts: SettledAttempt[], succeeded: { ids: string[]; at: Date }): void {
  tx.atCommit('record-successes', RECORD_SUCCESSES, [...valuesOf(tx, inOrder(attempts)), succeeded.ids, succeeded.at])
}

/** The same for failures, which are retried or dead-lettered, at once. @returns the ids written. */
export async function recordFailures(tx: TenantTx, attempts: SettledAttempt[]): Promise<Set<string>> {
  const settled = inOrder(attempts)
  const values = [...valuesOf(tx, settled), settled.map((item) => item.error), settled.map((item) => item.nextAttemptAt)]
  const rows = await tx.prepared<RecordedRow>('record-failures', RECORD_FAILURES, values)
  return new Set(rows.map((row) => row.delivery_id))
}

interface RecordedRow {
  delivery_id: string
}

function inOrder(attempts: SettledAttempt[]): SettledAttempt[] {
  return attempts.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function valuesOf(tx: TenantTx, settled: SettledAttempt[]): unknown[] {
  return [
    tx.tenantId,
    settled.map((item) => item.id),
    settled.map((item) => item.leaseToken),
    settled.map((item) => item.attempts),
    settled.map((item) => item.at),
    settled.map((item) => item.statusCode),
    settled.map((item) => item.latencyMs),
    settled.map((item) => item.excerpt),
    settled.map((item) => item.timestamp),
    settled.map((item) => item.signature),
    settled.map((item) => item.bodySha256),
    settled.map((item) => item.omitted.join(',')),
  ]
}

/** Gives claimed rows back untouched: not one attempt was made. */
export function releaseClaims(tx: TenantTx, token: string, ids: string[]): Promise<unknown[]> {
  return tx.prepared(
    'release-claims',
    `update webhook_queue set lease_until = null, lease_token = null where tenant_id = $1 and delivery_id = any($2::uuid[]) and lease_token = $3::uuid`,
    [tx.tenantId, ids, token],
  )
}
