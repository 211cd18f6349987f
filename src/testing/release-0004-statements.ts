import type { SystemTx, TenantTx } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'

/** What processes of the release with migration 0004 say on their hot paths, word for word; they say it during an upgrade as well. */
const TEXTS = {
  findTenant: 'select tenant_id from directory where kind = $1 and key = $2',
  findSession: `
  select s.id, s.user_id, s.last_used_at, s.expires_at, m.role_id, r.permissions, w.ip_allowlist
  from sessions s
  join memberships m on m.tenant_id = $1 and m.user_id = s.user_id
  join roles r on r.tenant_id = $1 and r.id = m.role_id
  join workspaces w on w.tenant_id = $1
  where s.tenant_id = $1 and s.token_hash = $2 and s.valid_until > $3`,
  insertResponse: `
    insert into responses (tenant_id, id, survey_id, survey_version, state, held_state, channel, language, answers, text, custom_data, path, metric, score, band, agent_id,
  started_at, completed_at, duration_ms, tags, notes, quality_flags, dedupe_key, quotas, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb, $11::jsonb, $12::text[], $13, $14, $15, $16,
      $17, $18, $19, $20::text[], $21::jsonb, $22::text[], $23, $24::text[], $25)`,
  insertEvent: `insert into events (tenant_id, id, type, survey_id, source, data, created_at) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, source, type) do nothing returning id`,
  listSubscribers: 'select id, events, survey_ids, enabled from webhooks where tenant_id = $1',
  insertDeliveries: `insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, survey_id, status, next_attempt_at, created_at, backfill_id)
     select $1, n.id, n.webhook_id, $2, $3, $4, 'pending', n.next_attempt_at, $5, coalesce($9::uuid, '00000000-0000-0000-0000-000000000000')
     from unnest($6::uuid[], $7::uuid[], $8::timestamptz[]) as n (id, webhook_id, next_attempt_at)
     on conflict (tenant_id, event_id, webhook_id, backfill_id) do nothing
     returning id`,
  listDueEndpoints: `
    with recursive endpoint as (
      (select tenant_id, webhook_id, next_attempt_at from webhook_deliveries
       where next_attempt_at is not null order by tenant_id, webhook_id, next_attempt_at limit 1)
      union all
      select n.tenant_id, n.webhook_id, n.next_attempt_at from endpoint p cross join lateral (
        select tenant_id, webhook_id, next_attempt_at from webhook_deliveries d
        where d.next_attempt_at is not null and (d.tenant_id, d.webhook_id) > (p.tenant_id, p.webhook_id)
        order by d.tenant_id, d.webhook_id, d.next_attempt_at limit 1) n)
    select tenant_id, webhook_id, next_attempt_at from endpoint`,
  claimDue: `
    with picked as (
      select x.id from unnest($2::uuid[], $3::int[]) as w (webhook_id, free) cross join lateral (
        select d.id from webhook_deliveries d where d.tenant_id = $1 and d.webhook_id = w.webhook_id and (d.lease_until is null or d.lease_until <= $4) and d.next_attempt_at <= $4
        order by d.next_attempt_at limit w.free for update skip locked) x),
    claimed as (
      update webhook_deliveries d set lease_until = $5, lease_token = $6
      where d.tenant_id = $1 and d.id = any(array(select id from picked))
      returning d.tenant_id, d.id, d.webhook_id, d.attempts, d.event_id, d.event)
    select c.id, c.webhook_id, c.attempts, c.event_id, c.event, e.created_at as event_created_at, e.data,
      h.url, h.secret, h.enabled, h.include_text, h.include_custom_data, h.include_answers
    from claimed c
    left join events e on e.tenant_id = $1 and e.id = c.event_id and e.id = any(array(select event_id from claimed))
    left join webhooks h on h.tenant_id = $1 and h.id = c.webhook_id and h.id = any($2::uuid[])`,
  recordAttempts: `
  with settled as (
    select * from unnest($2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::int[], $7::timestamptz[], $8::timestamptz[], $9::int[], $10::int[], $11::text[],
      $12::text[], $13::bigint[], $14::text[], $15::text[], $16::text[])
    as s (id, lease_token, status, dead_lettered, attempts, next_attempt_at, at, status_code, latency_ms, error, excerpt, timestamp, signature, body_sha256, omitted)),
  updated as (
    update webhook_deliveries d
    set status = s.status, dead_lettered = s.dead_lettered, attempts = s.attempts, attempts_logged = d.attempts_logged + 1,
      next_attempt_at = s.next_attempt_at, lease_until = null, lease_token = null,
      last_status_code = s.status_code, last_error = s.error, last_latency_ms = s.latency_ms,
      delivered_at = case when s.status = 'delivered' then s.at end
    from settled s
    where d.tenant_id = $1 and d.id = s.id and d.id = any($2::uuid[]) and d.lease_token = s.lease_token
    returning d.tenant_id, d.id, d.attempts_logged)
  insert into webhook_attempts (tenant_id, delivery_id, n, at, status_code, latency_ms, error, response_excerpt, timestamp, signature, body_sha256, omitted)
  select $1, u.id, u.attempts_logged, s.at, s.status_code, s.latency_ms, s.error, s.excerpt, s.timestamp, s.signature, s.body_sha256, string_to_array(s.omitted, ',')
  from updated u join settled s on s.id = u.id and u.tenant_id = $1
  returning delivery_id`,
  touchDelivered: `update webhooks set last_delivered_at = $3, failing_since = null
     where tenant_id = $1 and id = any($2::uuid[]) and (last_delivered_at is null or last_delivered_at <= $3::timestamptz - interval '1 second' or failing_since is not null)`,
  insertEmail: `
    insert into outgoing_emails (tenant_id, id, kind, sealed, status, attempts, next_attempt_at, created_at)
    values ($1, $2, $3, $4, 'pending', 0, $5, $6)`,
} as const

const say = <Row>(tx: TenantTx | SystemTx, name: keyof typeof TEXTS, values: unknown[]) => tx.prepared<Row>(`release-0004-${name}`, TEXTS[name], values)

/** An API process finds who calls. */
export async function authenticate0004(system: SystemTx, tokenHash: string): Promise<string | undefined> {
  return (await say<{ tenant_id: string }>(system, 'findTenant', ['session', tokenHash]))[0]?.tenant_id
}

export function findSession0004(tx: TenantTx, tokenHash: string, now: Date): Promise<Array<{ permissions: string[] }>> {
  return say(tx, 'findSession', [tx.tenantId, tokenHash, now])
}

/** An API process stores a completed response, its event and one delivery for each webhook that is enabled. Returns the deliveries' ids. */
export async function capture0004(tx: TenantTx, surveyId: string, now: Date): Promise<string[]> {
  const [responseId, eventId] = [newId('response'), newId('event')]
  const answers = JSON.stringify([{ question_id: 'q1', type: 'nps', value: 9 }])
  const response = [
    responseId,
    surveyId,
    1,
    'completed',
    null,
    'web',
    'en',
    answers,
    '[]',
    '{}',
    ['q1'],
    'nps',
    9,
    'promoter',
    null,
    now,
    now,
    1000,
    [],
    '[]',
    [],
  ]
  await say(tx, 'insertResponse', [tx.tenantId, ...response, null, [], now])
  const data = JSON.stringify({ responseId, score: null, answers: [], text: [], customData: {} })
  await say(tx, 'insertEvent', [tx.tenantId, eventId, 'response.completed', surveyId, `response:${responseId}:completed`, data, now])
  const webhooks = (await say<{ id: string; enabled: boolean }>(tx, 'listSubscribers', [tx.tenantId])).filter((webhook) => webhook.enabled)
  const ids = webhooks.map(() => newId('delivery'))
  const targets = [ids, webhooks.map((webhook) => webhook.id), webhooks.map(() => now)]
  await say(tx, 'insertDeliveries', [tx.tenantId, eventId, 'response.completed', surveyId, now, ...targets, null])
  await say(tx, 'insertEmail', [tx.tenantId, newId('event'), 'notice', 'sealed', new Date(now.getTime() + 3_600_000), now])
  return ids
}

export function listDue0004(system: SystemTx): Promise<Array<{ tenant_id: string; webhook_id: string }>> {
  return say(system, 'listDueEndpoints', [])
}

interface Lease {
  token: string
  now: Date
  until: Date
}

/** A worker takes what is due. */
export function claim0004(tx: TenantTx, webhookId: string, lease: Lease): Promise<Array<{ id: string; data: string; secret: string; url: string }>> {
  return say(tx, 'claimDue', [tx.tenantId, [webhookId], [100], lease.now, lease.until, lease.token])
}

/** A worker writes down that rows were delivered. */
export async function recordDelivered0004(tx: TenantTx, webhookId: string, ids: string[], lease: Lease): Promise<number> {
  const all = <T>(value: T) => ids.map(() => value)
  const states = [all(lease.token), all('delivered'), all(false), all(1), all(null), all(lease.now), all(200), all(12), all(null)]
  const rows = await say(tx, 'recordAttempts', [tx.tenantId, ids, ...states, all('ok'), all(1_772_445_600), all('v1=00'), all('aa'), all('')])
  await say(tx, 'touchDelivered', [tx.tenantId, [webhookId], lease.now])
  return rows.length
}
