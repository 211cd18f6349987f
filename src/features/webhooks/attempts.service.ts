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

/** A claimed row ready to be sent. */
export type Claimed = claims.ClaimedRow

/** Takes rows of one tenant: those with `ids`, or whatever is due, each endpoint at most its limit. */
export async function claimDeliveries(scope: Scope, token: string, requests: claims.ClaimRequest[], ids: string[] | null): Promise<Claimed[]> {
  const now = scope.clock.now()
  const lease = { token, now, until: new Date(now.getTime() + scope.settings.webhooks.leaseSeconds * 1000) }
  return scope.tx(async (tx) => {
    const rows = await claims.claimDeliveries(tx, requests, lease, ids)
    const gone = new Set(rows.filter((row) => row.url === null).map((row) => row.webhook_id))
    for (const webhookId of gone) await deliveries.failUnfinished(tx, webhookId, 'webhook_deleted')
    const off = rows.filter((row) => row.enabled === false)
    if (off.length > 0) await park(tx, token, off)
    return rows.filter((row) => row.enabled === true)
  })
}

// Locked, so that whoever enables one of them meanwhile waits and then finds these rows parked.
async function park(tx: TenantTx, token: string, rows: Claimed[]): Promise<void> {
  const disabled = await webhooks.lockDisabled(tx, [...new Set(rows.map((row) => row.webhook_id))])
  for (const webhook of disabled) await deliveries.parkUnfinished(tx, webhook.id)
  await claims.releaseClaims(
    tx,
    token,
    rows.map((row) => row.id),
  )
}

export async function releaseClaims(scope: Scope, token: string, ids: string[]): Promise<void> {
  await scope.tx((tx) => claims.releaseClaims(tx, token, ids))
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
  error: 'the delivery could not be signed: SECRETS_KEY may no longer list the key of this secret',
  latencyMs: null,
  excerpt: null,
  retryAfter: null,
}

function prepare(scope: Scope, row: Claimed, timestamp: number): (RenderedBody & { headers: Record<string, string> }) | null {
  try {
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
 * Writes what came of attempts of one tenant, in one transaction with what follows from it: the
 * webhooks' times, and the end of a webhook that is gone (410) or has only failed for 5 days.
 */
export async function recordAttempts(scope: Scope, token: string, attempts: Attempted[]): Promise<void> {
  const now = scope.clock.now()
  await scope.tx(async (tx) => {
    const written = await claims.recordAttempts(
      tx,
      token,
      attempts.map((attempted) => attempted.settled),
    )
    const counted = attempts.filter((attempted) => written.has(attempted.row.id))
    const delivered = new Set(counted.filter((attempted) => isDelivered(attempted.outcome)).map((attempted) => attempted.row.webhook_id))
    const failed = new Set(counted.filter((attempted) => !isDelivered(attempted.outcome)).map((attempted) => attempted.row.webhook_id))
    const gone = new Set(counted.filter((attempted) => attempted.outcome.statusCode === 410).map((attempted) => attempted.row.webhook_id))
    // In one order everywhere, so that two workers never wait for each other.
    if (delivered.size > 0) await webhooks.touchDelivered(tx, [...delivered].sort(), now)
    if (failed.size === 0) return
    const failing = await webhooks.touchFailed(tx, [...failed].sort(), now)
    for (const webhook of failing) {
      const exhausted = !delivered.has(webhook.id) && now.getTime() - webhook.failing_since.getTime() >= FAILING_DAYS * 86_400_000
      if (gone.has(webhook.id)) await disable(scope, tx, webhook, 'gone')
      else if (exhausted) await disable(scope, tx, webhook, 'failing')
    }
  })
}

const REASONS = {
  gone: 'the endpoint answered 410 Gone',
  failing: `every attempt of the last ${FAILING_DAYS} days has failed`,
}

async function disable(scope: Scope, tx: TenantTx, webhook: webhooks.FailingRow, reason: keyof typeof REASONS): Promise<void> {
  const now = scope.clock.now()
  if ((await webhooks.disableWebhook(tx, webhook.id, reason, now)) === 0) return
  await deliveries.parkUnfinished(tx, webhook.id)
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
