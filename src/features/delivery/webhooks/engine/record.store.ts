import { sql, type Statement, type TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { SettledAttempt } from './attempt.ts'

// The rows are given by an array too: joined to `settled` alone, the planner may read the whole queue.
const FINISHED = `
  delete from webhook_queue q using settled s
  where q.tenant_id = $1 and q.delivery_id = any($2::uuid[])
    and q.delivery_id = s.id and q.lease_token = s.lease_token`
// Logs only rows that were updated. If a lease was lost, another worker has logged that number, or logs its own. The
// attempts of a deleted webhook have theirs since its deletion.
const LOG = `
  insert into webhook_attempts as x (tenant_id, delivery_id, n, at, status_code, latency_ms, error, response_excerpt,
    timestamp, signature, body_sha256, omitted, response_headers, address, url, request_headers, superseded)
  select d.tenant_id, d.id, d.attempts_logged, s.at, d.last_status_code, d.last_latency_ms, d.last_error,
    case when not d.superseded then s.excerpt end, s.timestamp, s.signature, s.body_sha256,
    string_to_array(s.omitted, ','), case when not d.superseded then s.response_headers end, s.address, s.url, s.request_headers, d.superseded
  from unnest($2::uuid[], $3::int[], $4::timestamptz[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[])
    as s (id, attempts, at, excerpt, timestamp, signature, body_sha256, omitted, response_headers, address, url,
      request_headers)
  cross join lateral (
    select tenant_id, id, attempts_logged, last_status_code, last_latency_ms, last_error, superseded
    from webhook_deliveries
    where tenant_id = $1 and id = s.id and (attempts = s.attempts or abandoned and superseded) offset 0) d
  on conflict (tenant_id, delivery_id, n) do nothing`

// A request in flight whose webhook was deleted: its row stays failed, and its log shows the answer.
const ABANDONED = `
  update webhook_deliveries d set last_status_code = s.status_code, last_latency_ms = s.latency_ms
  from settled s
  where d.tenant_id = $1 and d.id = s.id and d.abandoned and d.superseded
    and d.id = any(array(select id from settled except select delivery_id from finished))`

// An array of each column costs as much as a column of the table, so values that all successes share are not sent.
const RECORD_SUCCESSES = `
  with settled as (
    select *
    from unnest($2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::int[], $7::int[])
    as s (id, lease_token, attempts, at, status_code, latency_ms)),
  finished as (${FINISHED} returning q.delivery_id, q.superseded),
  abandoned as (${ABANDONED}),
  updated as (
    update webhook_deliveries d
    set status = 'delivered', dead_lettered = false, attempts = s.attempts, attempts_logged = d.attempts_logged + 1,
      last_status_code = s.status_code, last_error = null, last_latency_ms = s.latency_ms, delivered_at = s.at,
      superseded = d.id = any(array(select delivery_id from finished where superseded))
    from settled s
    where d.tenant_id = $1 and d.id = s.id and d.id = any(array(select delivery_id from finished))
    returning d.id)
  update webhooks h set last_delivered_at = $9, failing_since = null
  where h.tenant_id = $1 and h.id = any(array(
    select w.id from unnest($8::uuid[]) as given (id) cross join lateral (
      select id from webhooks
      where tenant_id = $1 and id = given.id
        and (last_delivered_at is null or last_delivered_at <= $9::timestamptz - interval '1 second'
          or failing_since is not null)
      for no key update skip locked) w))`

const RECORD_FAILURES = `
  with settled as (
    select *
    from unnest($2::uuid[], $3::uuid[], $4::int[], $5::timestamptz[], $6::int[], $7::int[], $8::text[], $9::timestamptz[])
    as s (id, lease_token, attempts, at, status_code, latency_ms, error, next_attempt_at)),
  finished as (${FINISHED} and s.next_attempt_at is null returning q.delivery_id, q.superseded),
  abandoned as (${ABANDONED}),
  retried as (
    update webhook_queue q
    set attempts = s.attempts, next_attempt_at = s.next_attempt_at, lease_until = null, lease_token = null
    from settled s
    where q.tenant_id = $1 and q.delivery_id = any($2::uuid[])
      and q.delivery_id = s.id and q.lease_token = s.lease_token and s.next_attempt_at is not null
    returning q.delivery_id, q.superseded),
  updated as (
    update webhook_deliveries d
    set status = 'failed', dead_lettered = s.next_attempt_at is null,
      attempts = s.attempts, attempts_logged = d.attempts_logged + 1,
      last_status_code = s.status_code, last_error = s.error, last_latency_ms = s.latency_ms, delivered_at = null,
      superseded = d.id = any(array(
        select delivery_id from finished where superseded union all select delivery_id from retried where superseded))
    from settled s
    where d.tenant_id = $1 and d.id = s.id
      and d.id = any(array(select delivery_id from finished union all select delivery_id from retried))
    returning d.id)
  select id from updated`

/**
 * Writes successful attempts and the new states of their rows with COMMIT. A row whose lease was lost is left alone.
 * @param succeeded webhooks whose last success is to be noted. Locked ones are passed over, because everywhere else a
 * webhook is locked before its rows.
 */
export function recordSuccesses(
  tx: TenantTx,
  attempts: SettledAttempt[],
  succeeded: { ids: string[]; at: Date },
): void {
  const settled = inOrder(attempts)
  const values = [...valuesOf(tx, settled), succeeded.ids, succeeded.at]
  tx.atCommit({ name: 'record-successes', text: RECORD_SUCCESSES, values })
  tx.atCommit(logOf(tx, settled))
}

/** The same for failures, at once: they are retried or dead-lettered. @returns the ids written. */
export async function recordFailures(tx: TenantTx, attempts: SettledAttempt[]): Promise<Set<string>> {
  const settled = inOrder(attempts)
  const errors = settled.map((item) => item.error)
  const nextAttempts = settled.map((item) => item.nextAttemptAt)
  const values = [...valuesOf(tx, settled), errors, nextAttempts]
  const statement = { name: 'record-failures', text: RECORD_FAILURES, values }
  const [rows] = await Promise.all([tx.prepared<{ id: string }>(statement), tx.prepared(logOf(tx, settled))])
  return new Set(rows.map((row) => row.id))
}

export interface FailingRow {
  id: Id<'webhook'>
  url: string
  failing_since: Date
}

export interface Failure {
  webhookId: Id<'webhook'>
  statusCode: number | null
  error: string | null
}

/** Notes the last failures of enabled webhooks, and says since when each has had nothing else. */
export function touchFailed(tx: TenantTx, failures: Failure[], now: Date): Promise<FailingRow[]> {
  const [ids, codes, errors] = [
    failures.map(({ webhookId }) => webhookId),
    failures.map(({ statusCode }) => statusCode),
    failures.map(({ error }) => error),
  ]
  return tx.many(sql<FailingRow>`
    update webhooks w set last_failed_at = ${now}, failing_since = coalesce(w.failing_since, ${now}),
      last_failure_status = f.status_code, last_failure_error = f.error
    from unnest(${ids}::uuid[], ${codes}::int[], ${errors}::text[]) as f (id, status_code, error)
    where w.tenant_id = ${tx.tenantId} and w.id = any(${ids}::uuid[]) and w.id = f.id and w.enabled
    returning w.id, w.url, w.failing_since`)
}

// Statements that lock many rows of the queue do so in the order of their ids.
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
  ]
}

function logOf(tx: TenantTx, settled: SettledAttempt[]): Statement {
  const values = [
    tx.tenantId,
    settled.map((item) => item.id),
    settled.map((item) => item.attempts),
    settled.map((item) => item.at),
    settled.map((item) => item.excerpt),
    settled.map((item) => item.timestamp),
    settled.map((item) => item.signature),
    settled.map((item) => item.bodySha256),
    settled.map((item) => item.omitted.join(',')),
    settled.map((item) => item.responseHeaders),
    settled.map((item) => item.address),
    settled.map((item) => item.url),
    settled.map((item) => item.requestHeaders),
  ]
  return { name: 'log-attempts', text: LOG, values }
}
