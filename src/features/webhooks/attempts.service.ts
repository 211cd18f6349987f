import { randomUUID } from 'node:crypto'
import { BlockedUrlError, OutboundError, type OutboundHttpPort } from '../../platform/ports.ts'
import type { TenantTx } from '../../platform/database.ts'
import { formatId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { stageEvent } from '../events/events.service.ts'
import { stageEmailToHolders } from '../mail/mail.service.ts'
import * as claims from './claims.store.ts'
import { afterAttempt, attemptHeaders, describeFailure, isDelivered, renderBody, sha256, type Outcome, type RenderedBody } from './delivery.ts'
import * as deliveries from './deliveries.store.ts'
import { secretContext } from './webhooks.service.ts'
import * as webhooks from './webhooks.store.ts'

/** For one attempt, resolving and reading included (contract §4). */
export const ATTEMPT_TIMEOUT_MS = 15_000
const FAILING_DAYS = 5

/** A claimed row ready to be sent, with the lease that its result is recorded under. */
export type Claimed = claims.ClaimedRow & { leaseToken: string }

/** Takes rows of one tenant: those with `ids`, or whatever is due, each endpoint at most its limit. */
export async function claimDeliveries(scope: Scope, requests: claims.ClaimRequest[], ids: string[] | null): Promise<Claimed[]> {
  const now = scope.clock.now()
  const leaseToken = randomUUID()
  const lease = { token: leaseToken, now, until: new Date(now.getTime() + scope.settings.webhooks.leaseSeconds * 1000) }
  const rows = await scope.tx((tx) => claims.claimDeliveries(tx, requests, lease, ids))
  const orphans = new Set(rows.filter((row) => row.url === null).map((row) => row.webhook_id))
  for (const webhookId of orphans) await scope.tx((tx) => deliveries.failUnfinished(tx, webhookId, 'webhook_deleted'))
  const off = rows.filter((row) => row.enabled === false)
  if (off.length > 0) await park(scope, leaseToken, off)
  return rows.filter((row) => row.enabled === true).map((row) => ({ ...row, leaseToken }))
}

// The webhooks are locked before their rows, as everywhere: whoever enables one of them meanwhile waits,
// and then finds these rows parked.
async function park(scope: Scope, leaseToken: string, rows: claims.ClaimedRow[]): Promise<void> {
  await scope.tx(async (tx) => {
    const disabled = await webhooks.lockDisabled(tx, [...new Set(rows.map((row) => row.webhook_id))])
    for (const webhook of disabled) await deliveries.parkUnfinished(tx, webhook.id)
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
  timedOut: boolean
}

/**
 * Posts one claimed row. The body is rendered and signed now, so a rotated secret or a changed toggle
 * applies to whatever is still waiting. Never throws: a row that cannot even be signed has failed an attempt.
 * @param random 0 to 1, for the spread of the next attempt.
 */
export async function attempt(scope: Scope, row: Claimed, random: number): Promise<Attempted> {
  const at = scope.clock.now()
  const timestamp = Math.floor(at.getTime() / 1000)
  const prepared = prepare(scope, row, timestamp)
  const { outcome, timedOut } = prepared
    ? await post(scope.ports.outboundHttp, row.url ?? '', prepared.headers, prepared.body)
    : { outcome: UNPREPARED, timedOut: false }
  const state = afterAttempt(row.attempts, outcome, scope.clock.now(), scope.settings.webhooks.retrySeconds, random)
  const signature = prepared?.headers['X-VOC-Signature'] ?? null
  return {
    row,
    outcome,
    timedOut,
    settled: {
      id: row.id,
      leaseToken: row.leaseToken,
      ...state,
      at,
      statusCode: outcome.statusCode,
      latencyMs: outcome.latencyMs,
      error: describeFailure(outcome),
      excerpt: outcome.excerpt,
      timestamp: signature === null ? null : timestamp,
      signature,
      bodySha256: sha256(prepared?.body ?? ''),
      omitted: prepared?.omitted ?? [],
    },
  }
}

const UNPREPARED: Outcome = {
  statusCode: null,
  error: 'the delivery could not be prepared: its event is gone, or SECRETS_KEY no longer lists the key of its secret',
  latencyMs: null,
  excerpt: null,
  retryAfter: null,
}

function prepare(scope: Scope, row: Claimed, timestamp: number): (RenderedBody & { headers: Record<string, string> }) | null {
  try {
    if (row.data === null || row.event_created_at === null) throw new Error('its event is gone')
    const event = { id: formatId('event', row.event_id), type: row.event, createdAt: row.event_created_at.toISOString(), data: row.data }
    const rendered = renderBody(event, row)
    const secret = row.secret === null ? null : scope.secrets.open(row.secret, secretContext(row.webhook_id))
    const deliveryId = formatId('delivery', row.id)
    return { ...rendered, headers: attemptHeaders({ deliveryId, secret, timestamp, body: rendered.body, version: scope.settings.version }) }
  } catch (err) {
    scope.log.error({ err, delivery: row.id }, 'a delivery could not be prepared')
    return null
  }
}

async function post(http: OutboundHttpPort, url: string, headers: Record<string, string>, body: string): Promise<{ outcome: Outcome; timedOut: boolean }> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const answer = await http.post({ url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS })
    const excerpt = answer.excerpt.replaceAll('\0', '�')
    return { outcome: { statusCode: answer.status, error: null, latencyMs: elapsed(), excerpt, retryAfter: answer.retryAfter }, timedOut: false }
  } catch (error) {
    const blocked = error instanceof BlockedUrlError
    const message = error instanceof OutboundError || blocked ? error.message : 'the request failed'
    const timedOut = error instanceof OutboundError && error.reason === 'timeout'
    return { outcome: { statusCode: null, error: message, latencyMs: blocked ? null : elapsed(), excerpt: null, retryAfter: null }, timedOut }
  }
}

/**
 * Writes what came of attempts of one tenant, and then what follows from it for their webhooks: the
 * times, and the end of one that is gone (410) or has only failed for 5 days. These are two transactions,
 * because a webhook is always locked before its rows; a crash in between loses nothing that the next
 * attempt would not find again.
 */
export async function recordAttempts(scope: Scope, attempts: Attempted[]): Promise<void> {
  const written = await scope.tx((tx) =>
    claims.recordAttempts(
      tx,
      attempts.map((attempted) => attempted.settled),
    ),
  )
  const counted = attempts.filter((attempted) => written.has(attempted.row.id))
  const webhooksOf = (choose: (attempted: Attempted) => boolean) => new Set(counted.filter(choose).map((attempted) => attempted.row.webhook_id))
  const delivered = webhooksOf((attempted) => isDelivered(attempted.outcome))
  const failed = webhooksOf((attempted) => !isDelivered(attempted.outcome))
  const gone = webhooksOf((attempted) => attempted.outcome.statusCode === 410)
  const now = scope.clock.now()
  await scope.tx(async (tx) => {
    if (failed.size > 0) await webhooks.lockWebhooks(tx, [...failed, ...delivered])
    if (delivered.size > 0) await webhooks.touchDelivered(tx, [...delivered], now)
    if (failed.size === 0) return
    const failing = await webhooks.touchFailed(tx, [...failed], now)
    for (const webhook of failing) {
      const exhausted = !delivered.has(webhook.id) && now.getTime() - webhook.failing_since.getTime() >= FAILING_DAYS * 86_400_000
      if (gone.has(webhook.id)) await disable(scope, tx, webhook, 'gone')
      else if (exhausted) await disable(scope, tx, webhook, 'failing')
    }
    // A row that failed while its webhook was disabled waits like the others.
    for (const webhook of await webhooks.lockDisabled(tx, [...failed])) await deliveries.parkUnfinished(tx, webhook.id)
  })
}

const REASONS = {
  gone: 'the endpoint answered 410 Gone',
  failing: `every attempt of the last ${FAILING_DAYS} days has failed`,
}

async function disable(scope: Scope, tx: TenantTx, webhook: webhooks.FailingRow, reason: keyof typeof REASONS): Promise<void> {
  const now = scope.clock.now()
  if ((await webhooks.disableWebhook(tx, webhook.id, reason, now)) === 0) return
  const webhookId = formatId('webhook', webhook.id)
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
