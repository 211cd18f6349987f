/**
 * A database as the release with migration 0004 left it: two workspaces, and every kind of row that was still to be
 * delivered when it stopped. Frozen: it is written in that release's columns, and sealed with that release's format.
 */
export const NOW_0004 = new Date('2026-03-02T10:00:00.000Z')
export const SECRETS_KEY_0004 = 'a-key-for-tests-that-is-long-enough'
export const SIGNING_SECRET_0004 = `whsec_${'0123456789abcdef'.repeat(4)}`

const ID = '0195560f-5a00-7000-8000-0000000'
export const ADA = `${ID}00001`
export const BOB = `${ID}00002`
export const SURVEY_0004 = `${ID}0c001`
export const LIVE_WEBHOOK = `${ID}0a001`
export const DISABLED_WEBHOOK = `${ID}0a002`
const BOBS_WEBHOOK = `${ID}0b001`
const NOBODY = '00000000-0000-0000-0000-000000000000'

interface Group {
  /** First digits of the rows' ids. */
  digit: number
  tenant: string
  webhook: string
  rows: number
  status: 'pending' | 'failed' | 'delivered'
  attempts?: number
  deadLettered?: boolean
  /** Relative to NOW_0004; null is not queued. */
  nextAttempt: string | null
  leaseUntil?: string
}

const GROUPS = {
  fresh: { digit: 1, tenant: ADA, webhook: LIVE_WEBHOOK, rows: 40, status: 'pending', nextAttempt: '0 seconds' },
  failedOnce: { digit: 2, tenant: ADA, webhook: LIVE_WEBHOOK, rows: 10, status: 'failed', attempts: 1, nextAttempt: '-2 seconds' },
  retryLater: { digit: 3, tenant: ADA, webhook: LIVE_WEBHOOK, rows: 10, status: 'failed', attempts: 4, nextAttempt: '1 hour' },
  workerDied: { digit: 4, tenant: ADA, webhook: LIVE_WEBHOOK, rows: 10, status: 'pending', nextAttempt: '-60 seconds', leaseUntil: '-10 seconds' },
  inFlight: { digit: 5, tenant: ADA, webhook: LIVE_WEBHOOK, rows: 10, status: 'pending', nextAttempt: '-5 seconds', leaseUntil: '40 seconds' },
  parked: { digit: 6, tenant: ADA, webhook: DISABLED_WEBHOOK, rows: 10, status: 'pending', nextAttempt: null },
  delivered: { digit: 7, tenant: ADA, webhook: LIVE_WEBHOOK, rows: 10, status: 'delivered', attempts: 1, nextAttempt: null },
  /** A replay of these was under way. */
  replayed: { digit: 8, tenant: ADA, webhook: LIVE_WEBHOOK, rows: 5, status: 'failed', attempts: 5, deadLettered: true, nextAttempt: null },
  bobs: { digit: 9, tenant: BOB, webhook: BOBS_WEBHOOK, rows: 15, status: 'pending', nextAttempt: '0 seconds' },
  bobsDeadLetters: { digit: 10, tenant: BOB, webhook: BOBS_WEBHOOK, rows: 5, status: 'failed', attempts: 5, deadLettered: true, nextAttempt: null },
} satisfies Record<string, Group>

export type GroupName = keyof typeof GROUPS

/** Ids of the deliveries of a group, and of their events. */
export function rowsOf(name: GroupName): Array<{ delivery: string; event: string }> {
  const { digit, rows } = GROUPS[name]
  return Array.from({ length: rows }, (_, n) => ({ delivery: idOf('d', digit, n + 1), event: idOf('e', digit, n + 1) }))
}

function idOf(kind: 'd' | 'e', digit: number, n: number): string {
  return `0195560f-5a00-7000-8000-${kind}${String(digit).padStart(2, '0')}${String(n).padStart(9, '0')}`
}

/** @param url of the receiver that all webhooks post to. */
export function script0004(url: string): string {
  return `${WORKSPACES}${webhooksAt(url)}${Object.values(GROUPS).map(deliveriesOf).join('')}${OUTBOX_AND_JOB}`
}

const MOMENT = `timestamptz '${NOW_0004.toISOString()}'`

const WORKSPACES = [ADA, BOB]
  .map(
    (tenant, i) => `
insert into workspaces (tenant_id, name, timezone, branding, ip_allowlist, retention, created_at, updated_at)
values ('${tenant}', 'Workspace ${i}', 'Europe/Berlin', '{"logo_url": null, "color": null}', '{}', '{"responses_days": null, "deliveries_days": null, "exports_days": null}', ${MOMENT}, ${MOMENT});
insert into users (id, email, name, password_hash, sessions_to_end, created_at) values ('${tenant}', 'user-${i}@example.com', 'User ${i}', 'x', false, ${MOMENT});
insert into roles (tenant_id, id, name, permissions, built_in, created_at) values ('${tenant}', '${tenant}', 'owner', '{integrations.manage}', true, ${MOMENT});
insert into memberships (tenant_id, user_id, role_id, created_at) values ('${tenant}', '${tenant}', '${tenant}', ${MOMENT});
insert into directory (kind, key, tenant_id) values ('membership', '${tenant}', '${tenant}'), ('session', 'hash-${i}', '${tenant}');
insert into sessions (tenant_id, id, user_id, token_hash, created_at, last_used_at, valid_until, expires_at)
values ('${tenant}', '${tenant}', '${tenant}', 'hash-${i}', ${MOMENT}, ${MOMENT}, ${MOMENT} + interval '12 hours', ${MOMENT} + interval '30 days');
insert into surveys (tenant_id, id, name, state, definition, revision, version, unpublished_changes, frozen_types, response_limit, published_at, created_at, updated_at)
values ('${tenant}', '${SURVEY_0004}', 'Survey', 'live', '{"metric": "nps", "questions": []}', 2, 1, false, '{"q1": "nps"}', 500, ${MOMENT}, ${MOMENT}, ${MOMENT});
insert into survey_versions (tenant_id, survey_id, version, id, definition, published_at) values ('${tenant}', '${SURVEY_0004}', 1, '${SURVEY_0004}', '{"metric": "nps", "questions": []}', ${MOMENT});
insert into quota_counts (tenant_id, survey_id, quota_id, count) values ('${tenant}', '${SURVEY_0004}', '*', 40);
insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band,
  started_at, completed_at, duration_ms, tags, notes, quality_flags, dedupe_key, quotas, updated_at)
select '${tenant}', ('0195560f-5a00-7000-8000-f' || lpad(n::text, 11, '0'))::uuid, '${SURVEY_0004}', 1, 'completed', 'web', 'en', '[{"question_id": "q1", "type": "nps", "value": 9}]',
  '[{"question_id": "q3", "value": "Schön – “quoted”, \\\\ and 👍"}]', '{"plan": "pro"}', '{q1,q3}', 'nps', 9, 'promoter',
  ${MOMENT} - interval '1 minute', ${MOMENT} - n * interval '1 millisecond', 60000, '{"a tag","with, comma"}', '[]', '{}', 'key-' || n, '{}', ${MOMENT}
from generate_series(1, 40) as n;`,
  )
  .join('\n')

function webhooksAt(url: string): string {
  const sealed = {
    [LIVE_WEBHOOK]:
      'v1.73110ab5.LxFZHCZWErcNX6jF.m87U7rUtoC6BZf_VRICPhwSyTsytKX_ZgnsoJQwUhzAC-pjf32TGoECKaw1yWGMX3oGOJiyUAy0D9sMb-Y2ZfZX4Q-uAZ1Qg9NuknRj1xV1ZGRVwh5s',
    [DISABLED_WEBHOOK]:
      'v1.73110ab5.AF54g6ooAuEEAo2I.m5uK08fBdQGMDuOaipTh-gl5EsWHfi2_c8IbSKl106ZtIsMEOb4tpH2txrACpfmu4ps1KJEDSErSB38BPCGyOE6J3lL7RhW4f0GBK4J29BD5fsdlK30',
    [BOBS_WEBHOOK]:
      'v1.73110ab5.eYQhtZqHnFjmoaWP.p1nYbv0FGvYddZWGcAixl0P5UWNEPl1fwlxX-X5FYX5z4OW5GIPT3hixMucLytzguykajNSCBS62Hzc-8_Y8hstecxbG2h5pwmYyeaKFbsS5omIXdqo',
  }
  return Object.entries(sealed)
    .map(
      ([id, secret]) => `
insert into webhooks (tenant_id, id, url, description, events, survey_ids, include_text, include_custom_data, include_answers, enabled, disabled_reason,
  secret, secret_preview, created_at, updated_at)
values ('${id === BOBS_WEBHOOK ? BOB : ADA}', '${id}', '${url}', '', '{}', '{}', true, true, true, ${id !== DISABLED_WEBHOOK},
  ${id === DISABLED_WEBHOOK ? `'failing'` : 'null'}, '${secret}', '0123', ${MOMENT}, ${MOMENT});`,
    )
    .join('')
}

function deliveriesOf({ digit, tenant, webhook, rows, status, nextAttempt, ...more }: Group): string {
  const prefix = (kind: string) => `'0195560f-5a00-7000-8000-${kind}${String(digit).padStart(2, '0')}'`
  const id = (kind: string) => `(${prefix(kind)} || lpad(n::text, 9, '0'))::uuid`
  const at = (offset: string | null | undefined) => (offset ? `${MOMENT} + interval '${offset}'` : 'null')
  const attempts = more.attempts ?? 0
  return `
insert into events (tenant_id, id, type, survey_id, source, data, created_at)
select '${tenant}', ${id('e')}, 'response.completed', '${SURVEY_0004}', 'response:${digit}-' || n || ':completed',
  '{"responseId":"rsp_${digit}_' || n || '","surveyId":"srv_1","score":null,"answers":[],"text":[{"questionId":"q3","value":"Schön 👍"}],"customData":{}}', ${MOMENT}
from generate_series(1, ${rows}) as n;
insert into webhook_deliveries (tenant_id, id, webhook_id, event_id, event, survey_id, status, dead_lettered, attempts, attempts_logged, next_attempt_at,
  lease_until, lease_token, last_status_code, last_error, created_at, delivered_at)
select '${tenant}', ${id('d')}, '${webhook}', ${id('e')}, 'response.completed', '${SURVEY_0004}', '${status}', ${more.deadLettered ?? false}, ${attempts}, ${attempts},
  ${at(nextAttempt)}, ${at(more.leaseUntil)}, ${more.leaseUntil ? 'gen_random_uuid()' : 'null'}, ${attempts ? (status === 'delivered' ? 200 : 500) : 'null'},
  ${status === 'failed' ? `'HTTP 500'` : 'null'}, ${MOMENT}, ${status === 'delivered' ? MOMENT : 'null'}
from generate_series(1, ${rows}) as n;
insert into webhook_attempts (tenant_id, delivery_id, n, at, status_code, latency_ms, error, response_excerpt, timestamp, signature, body_sha256, omitted)
select '${tenant}', ${id('d')}, attempt, ${MOMENT}, 500, 12, 'HTTP 500', 'no', 1772445600, 'v1=00', 'aa', '{text,customData}'
from generate_series(1, ${rows}) as n, generate_series(1, ${attempts}) as attempt;`
}

const OUTBOX_AND_JOB = `
insert into outgoing_emails (tenant_id, id, kind, sealed, status, attempts, next_attempt_at, created_at)
values ('${ADA}', '${ID}0e001', 'member_invitation',
  'v1.73110ab5.HI3Vt1Nzar_tDOjv.SN-SouKH799d_fr8-NXjFwWbzAOPoIZW6gp277f6TNu_mFdGTLyuvnHVUXjXtoYdBZXqp3PXGVkkNbbs_mRgBSe7kQtUKcG-jP6VRL8eZFyA8yKMPkg',
  'pending', 0, ${MOMENT}, ${MOMENT});
insert into webhook_jobs (tenant_id, id, kind, webhook_id, event, survey_id, since, until, created_at)
values ('${ADA}', '${ID}0f001', 'replay', null, null, null, null, ${MOMENT} + interval '1 second', ${MOMENT});
insert into password_resets (id, email, requested_at, due_at, expires_at) values ('${NOBODY}', 'nobody@example.com', ${MOMENT}, ${MOMENT}, ${MOMENT} + interval '1 hour');
insert into rate_limits (key, points, expire) values ('api_key:1', 3, 1772445660000);
insert into sweeps (name, next_at) values ('mail.send', ${MOMENT});
insert into idempotency_keys (tenant_id, principal, route, key, request_hash, state, status, body, lease_until, created_at)
values ('${ADA}', 'user:1', 'createWebhook', 'k', 'h', 'answered', 201, '{}', ${MOMENT}, ${MOMENT});
`
