import { BlockedUrlError, OutboundError, type OutboundHttpPort } from '../../../platform/ports.ts'
import type { TenantTx } from '../../../platform/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { stageEvent } from '../events/events.service.ts'
import { stageEmailToHolders } from '../../access/mail/mail.service.ts'
import * as claims from './claims.store.ts'
import { afterAttempt, ATTEMPT_TIMEOUT_MS, attemptHeaders, describeFailure, isDelivered, sha256, type Outcome } from './delivery.ts'
import { newLease } from './fresh-rows.service.ts'
import * as queue from './queue.store.ts'
import type { Bodies, HashedBody, Keyring } from './attempt-caches.ts'
import type { Ending } from './delivery-slots.ts'
import * as webhooks from './webhooks.store.ts'

const FAILING_DAYS = 5

/** A claimed row ready to be sent, with the lease that its result is recorded under. */
export type Claimed = claims.ClaimedRow & { leaseToken: string }

/** Takes rows of one tenant: those with `ids`, or whatever is due, each endpoint at most its limit. */
export async function claimDeliveries(scope: Scope, requests: claims.ClaimRequest[], ids: string[] | null): Promise<Claimed[]> {
  const lease = newLease(scope)
  const leaseToken = lease.token
  const rows = await scope.tx(async (tx) => claims.claimDeliveries(tx, requests, lease, ids))
  const orphans = new Set(rows.filter((row) => row.url === null).map((row) => row.webhook_id))
  for (const webhookId of orphans) await scope.tx((tx) => queue.failUnfinished(tx, webhookId, 'webhook_deleted'))
  const off = rows.filter((row) => row.enabled === false)
  if (off.length > 0) await park(scope, leaseToken, off)
  return rows.filter((row) => row.enabled === true).map((row) => ({ ...row, leaseToken }))
}

// The webhooks are locked before their rows, as everywhere: whoever enables one of them meanwhile waits,
// and then finds these rows parked.
async function park(scope: Scope, leaseToken: string, rows: claims.ClaimedRow[]): Promise<void> {
  await scope.tx(async (tx) => {
    const disabled = await webhooks.lockDisabled(tx, [...new Set(rows.map((row) => row.webhook_id))])
    for (const webhook of disabled) await queue.parkUnfinished(tx, webhook.id)
    await claims.releaseClaims(
      tx,
      leaseToken,
      rows.map((row) => row.id),
    )
  })
}

/** Gives claimed rows back untouched: not one attempt was made. */
export async function releaseClaims(scope: Scope, rows: Claimed[]): Promise<void> {
  for (const leaseToken of new Set(rows.map((row) => row.leaseToken))) {
    const ids = rows.filter((row) => row.leaseToken === leaseToken).map((row) => row.id)
    await scope.tx((tx) => claims.releaseClaims(tx, leaseToken, ids))
  }
}

/** An attempt that was made, and what came of it. */
export interface Attempted {
  row: Claimed
  outcome: Outcome
  settled: claims.SettledAttempt
  deadLettered: boolean
  ending: Ending
}

interface SignedRequest extends HashedBody {
  headers: Record<string, string>
}

/** What one worker keeps from attempt to attempt. */
export interface AttemptTools {
  keyring: Keyring
  bodies: Bodies
}

/**
 * Posts one claimed row. It is signed now, with the webhook as the claim read it, so a rotated secret or a
 * changed toggle applies to whatever is still waiting. Never throws: a row that cannot even be signed has
 * failed an attempt.
 * @param random 0 to 1, for the spread of the next attempt.
 */
export async function attempt(scope: Scope, row: Claimed, tools: AttemptTools, random: number): Promise<Attempted> {
  const at = scope.clock.now()
  const timestamp = Math.floor(at.getTime() / 1000)
  const prepared = prepare(scope, row, tools, timestamp)
  const { outcome, ending } = prepared
    ? await post(scope.ports.outboundHttp, row.url ?? '', prepared.headers, prepared.body)
    : { outcome: UNPREPARED, ending: 'failed' as const }
  const { attempts, nextAttemptAt, deadLettered } = afterAttempt(row.attempts, outcome, scope.clock.now(), scope.settings.webhooks.retrySeconds, random)
  const signature = prepared?.headers['X-VOC-Signature'] ?? null
  return {
    row,
    outcome,
    ending,
    deadLettered,
    settled: {
      id: row.id,
      leaseToken: row.leaseToken,
      attempts,
      nextAttemptAt,
      at,
      statusCode: outcome.statusCode,
      latencyMs: outcome.latencyMs,
      error: describeFailure(outcome),
      excerpt: outcome.excerpt,
      timestamp: signature === null ? null : timestamp,
      signature,
      bodySha256: prepared?.bodySha256 ?? EMPTY_SHA256,
      omitted: prepared?.omitted ?? [],
    },
  }
}

const EMPTY_SHA256 = sha256('')
const UNPREPARED: Outcome = {
  statusCode: null,
  error: 'the delivery could not be prepared: its event is gone, or SECRETS_KEY no longer lists the key of its secret',
  latencyMs: null,
  excerpt: null,
  retryAfter: null,
}

function prepare(scope: Scope, row: Claimed, { keyring, bodies }: AttemptTools, timestamp: number): SignedRequest | null {
  try {
    if (row.data === null || row.event === null || row.event_created_at === null) throw new Error('its event is gone')
    const rendered = bodies.render({ id: row.event_id, type: row.event, createdAt: row.event_created_at.toISOString(), data: row.data }, row)
    const keys = row.secret === null ? null : keyring.open(scope.secrets, row.webhook_id, row.secret)
    const deliveryId = formatId('delivery', row.id)
    return { ...rendered, headers: attemptHeaders({ deliveryId, keys, timestamp, body: rendered.body, version: scope.settings.version }) }
  } catch (err) {
    scope.log.error({ err, delivery: row.id }, 'a delivery could not be prepared')
    return null
  }
}

async function post(http: OutboundHttpPort, url: string, headers: Record<string, string>, body: string): Promise<{ outcome: Outcome; ending: Ending }> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const answer = await http.post({ url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS })
    const excerpt = answer.excerpt.replaceAll('\0', '�')
    return { outcome: { statusCode: answer.status, error: null, latencyMs: elapsed(), excerpt, retryAfter: answer.retryAfter }, ending: 'answered' }
  } catch (error) {
    const blocked = error instanceof BlockedUrlError
    const message = error instanceof OutboundError || blocked ? error.message : 'the request failed'
    const timedOut = error instanceof OutboundError && error.reason === 'timeout'
    const outcome = { statusCode: null, error: message, latencyMs: blocked ? null : elapsed(), excerpt: null, retryAfter: null }
    return { outcome, ending: timedOut ? 'timed_out' : 'failed' }
  }
}

/** Writes what came of attempts of one tenant, successes and failures apart: most batches have only the first. */
export async function recordAttempts(scope: Scope, attempts: Attempted[]): Promise<void> {
  const successes = attempts.filter(({ outcome }) => isDelivered(outcome))
  const failures = attempts.filter(({ outcome }) => !isDelivered(outcome))
  if (successes.length > 0) await recordSuccesses(scope, successes)
  if (failures.length > 0) await recordFailures(scope, failures, new Set(successes.map(({ row }) => row.webhook_id)))
}

async function recordSuccesses(scope: Scope, attempts: Attempted[]): Promise<void> {
  const succeeded = { ids: [...new Set(attempts.flatMap(newSuccess))], at: scope.clock.now() }
  await scope.tx(async (tx) => claims.recordSuccesses(tx, attempts.map(settledOf), succeeded))
}

// A failure also means something for its webhook: the times, and the end of one that is gone (410) or has only
// failed for 5 days. So the webhooks are locked, before their rows as everywhere.
async function recordFailures(scope: Scope, attempts: Attempted[], delivered: Set<string>): Promise<void> {
  const now = scope.clock.now()
  await scope.tx(async (tx) => {
    await webhooks.lockWebhooks(tx, [...new Set(attempts.map(({ row }) => row.webhook_id))])
    const written = await claims.recordFailures(tx, attempts.map(settledOf))
    const failed = [...webhooksOf(attempts, written)]
    const gone = webhooksOf(
      attempts.filter(({ outcome }) => outcome.statusCode === 410),
      written,
    )
    for (const webhook of await webhooks.touchFailed(tx, failed, now)) {
      const exhausted = !delivered.has(webhook.id) && now.getTime() - webhook.failing_since.getTime() >= FAILING_DAYS * 86_400_000
      if (gone.has(webhook.id)) await disable(scope, tx, webhook, 'gone')
      else if (exhausted) await disable(scope, tx, webhook, 'failing')
    }
    // A row that failed while its webhook was disabled waits like the others.
    for (const webhook of await webhooks.lockDisabled(tx, failed)) await queue.parkUnfinished(tx, webhook.id)
  })
}

function settledOf({ settled }: Attempted): claims.SettledAttempt {
  return settled
}

function webhooksOf(attempts: Attempted[], written: Set<string>): Set<Id<'webhook'>> {
  return new Set(attempts.filter(({ row }) => written.has(row.id)).map(({ row }) => row.webhook_id))
}

// The time of the last success is for people, and the row is read by every event: it is written at most once a second.
function newSuccess({ row, outcome, settled }: Attempted): string[] {
  if (!isDelivered(outcome)) return []
  const noted = row.failing_since === null && row.last_delivered_at !== null && settled.at.getTime() - row.last_delivered_at.getTime() < 1000
  return noted ? [] : [row.webhook_id]
}

const REASONS = {
  gone: 'the endpoint answered 410 Gone',
  failing: `every attempt of the last ${FAILING_DAYS} days has failed`,
}

async function disable(scope: Scope, tx: TenantTx, webhook: webhooks.FailingRow, reason: keyof typeof REASONS): Promise<void> {
  const now = scope.clock.now()
  if ((await webhooks.disableWebhook(tx, webhook.id, reason, now)) === 0) return
  const webhookId = formatId('webhook', webhook.id)
  scope.log.warn({ tenant: scope.tenantId, webhook: webhook.id, reason }, 'a webhook was disabled')
  await stageEvent(scope, tx, {
    type: 'webhook.disabled',
    surveyId: null,
    source: `webhook:${webhook.id}:disabled:${now.toISOString()}`,
    data: { webhookId, reason, disabledAt: now.toISOString() },
    except: webhook.id,
  })
  await stageEmailToHolders(scope, tx, 'integrations.manage', {
    kind: 'webhook_disabled',
    subject: 'A webhook was disabled',
    text: `Earshot disabled the webhook ${webhookId} to ${new URL(webhook.url).host}, because ${REASONS[reason]}.\n\nEvents are still written to the ledger and wait. Once the endpoint works again, enable the webhook, by PATCH /v1/webhooks/${webhookId} with {"enabled": true}, and they are delivered.\n`,
  })
}
