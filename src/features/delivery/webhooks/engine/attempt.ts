import { formatId, type Id } from '../../../../platform/ids.ts'
import {
  BlockedUrlError,
  OutboundError,
  type OutboundAnswer,
  type OutboundHttpPort,
} from '../../../../platform/ports/ports.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { HandOver } from '../test-receivers/received.ts'
import { maskedHeaders } from '../registration/own-headers.ts'
import { receiverAt } from '../registration/receiver-url.ts'
import type { LeasedDelivery } from '../staging/fresh-sender.ts'
import { ATTEMPT_TIMEOUT_MS } from '../staging/lease.ts'
import { sha256, type Bodies, type HashedBody } from './body.ts'
import { afterAttempt, describeFailure, isDelivered, type Outcome } from './delivery.ts'
import type { Ending } from './fairness-endpoint.ts'
import type { Keyring } from './keyring.ts'
import { attemptHeaders, verifies, type SigningKeys } from './signature.ts'

/** An attempt that was made, with its result. */
export interface Attempted {
  row: LeasedDelivery
  outcome: Outcome
  settled: SettledAttempt
  deadLettered: boolean
  ending: Ending
}

/** An attempt's result as it is recorded. */
export interface SettledAttempt {
  id: Id<'delivery'>
  /** The lease of the attempt. It is recorded only while the row still has this lease. */
  leaseToken: string
  attempts: number
  /** Null when this was the last one. */
  nextAttemptAt: Date | null
  at: Date
  statusCode: number | null
  latencyMs: number | null
  error: string | null
  excerpt: string | null
  /** JSON, with what must not be logged masked. */
  responseHeaders: string | null
  address: string | null
  url: string | null
  /** JSON, with the webhook's own headers masked. */
  requestHeaders: string | null
  timestamp: number | null
  signature: string | null
  bodySha256: string
  omitted: string[]
}

/** Caches that one worker keeps from attempt to attempt, and the way to test receivers. */
export interface AttemptTools {
  keyring: Keyring
  bodies: Bodies
  handOver: HandOver
}

/**
 * Posts one leased row. It is signed now, with the webhook as the lease found it, so that a rotated secret or a changed
 * toggle applies to every row that still waits. Never throws: a row that cannot be signed has failed an attempt.
 * @param random 0 to 1, for the spread of the next attempt.
 */
export async function attempt(
  scope: Scope,
  row: LeasedDelivery,
  tools: AttemptTools,
  random: number,
): Promise<Attempted> {
  const at = scope.clock.now()
  const timestamp = Math.floor(at.getTime() / 1000)
  const prepared = prepare(scope, row, tools, at)
  const { outcome, ending } = prepared ? await send(scope, row, prepared, tools) : UNPREPARED
  const { retrySeconds } = scope.settings.webhooks
  const state = afterAttempt(row.attempts, outcome, scope.clock.now(), retrySeconds, random)
  const signature = prepared?.headers['X-VOC-Signature'] ?? null
  return {
    row,
    outcome,
    ending,
    deadLettered: state.deadLettered,
    settled: {
      id: row.id,
      leaseToken: row.leaseToken,
      attempts: state.attempts,
      nextAttemptAt: state.nextAttemptAt,
      at,
      statusCode: outcome.statusCode,
      latencyMs: outcome.latencyMs,
      error: describeFailure(outcome),
      excerpt: outcome.excerpt,
      responseHeaders: outcome.responseHeaders,
      address: outcome.address,
      url: row.url,
      requestHeaders: prepared && JSON.stringify(prepared.shownHeaders),
      timestamp: signature === null ? null : timestamp,
      signature,
      bodySha256: prepared?.bodySha256 ?? EMPTY_SHA256,
      omitted: prepared?.omitted ?? [],
    },
  }
}

const EMPTY_SHA256 = sha256('')
const UNPREPARED: { outcome: Outcome; ending: Ending } = {
  outcome: {
    statusCode: null,
    error:
      'the delivery could not be prepared: its event is gone, or SECRETS_KEY no longer lists the key of its secret',
    latencyMs: null,
    excerpt: null,
    responseHeaders: null,
    address: null,
    retryAfter: null,
  },
  ending: 'failed',
}

interface SignedRequest extends HashedBody {
  headers: Record<string, string>
  /** The headers as people may read them: the webhook's own are masked. */
  shownHeaders: Record<string, string>
  /** Of the present secret. */
  key: SigningKeys | undefined
}

function prepare(scope: Scope, row: LeasedDelivery, { keyring, bodies }: AttemptTools, at: Date): SignedRequest | null {
  try {
    const { event, data, headers } = row
    if (event === null || data === null || row.event_created_at === null) throw new Error('its event is gone')
    const rendered = bodies.render({ id: row.event_id, type: event, createdAt: row.event_created_at, data }, row)
    const own = headers === null ? {} : keyring.headers(scope.secrets, row.webhook_id, headers)
    const keys = secretsAt(row, at).map((secret) => keyring.open(scope.secrets, row.webhook_id, secret))
    const request = {
      deliveryId: formatId('delivery', row.id),
      keys,
      timestamp: Math.floor(at.getTime() / 1000),
      body: rendered.body,
      version: scope.settings.version,
      own,
    }
    const sent = attemptHeaders(request)
    return { ...rendered, headers: sent, shownHeaders: { ...sent, ...maskedHeaders(Object.keys(own)) }, key: keys[0] }
  } catch (err) {
    scope.log.error({ err, delivery: row.id }, 'a delivery could not be prepared')
    return null
  }
}

// The secret before a rotation counts until the overlap ends.
function secretsAt({ secret, previous_secret: previous, previous_secret_expires_at: until }: LeasedDelivery, at: Date) {
  if (secret === null) return []
  return previous !== null && until !== null && until > at ? [secret, previous] : [secret]
}

/** Posts the request, or hands it to a test receiver of the workspace. */
function send(
  scope: Scope,
  row: LeasedDelivery,
  { headers, shownHeaders, body, key }: SignedRequest,
  { handOver }: AttemptTools,
): Promise<{ outcome: Outcome; ending: Ending }> {
  const http = scope.ports.outboundHttp
  const url = row.url ?? ''
  const receiver = receiverAt(scope.settings.baseUrl, url)
  if (!receiver) return ended(http, url, () => http.post({ url, headers, body, timeoutMs: ATTEMPT_TIMEOUT_MS }))
  const verified = key ? verifies(key, headers, body) : null
  return ended(http, url, () => handOver(scope, receiver, { delivery: row, headers: shownHeaders, body, verified }))
}

async function ended(
  http: OutboundHttpPort,
  url: string,
  call: () => Promise<OutboundAnswer>,
): Promise<{ outcome: Outcome; ending: Ending }> {
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const { status, excerpt, headers: answered, retryAfter, address } = await call()
    // PostgreSQL stores no NUL in a text.
    const storable = excerpt.replaceAll('\0', '�')
    const outcome = {
      statusCode: status,
      error: null,
      latencyMs: elapsed(),
      excerpt: storable,
      responseHeaders: loggedHeaders(answered),
      address,
      retryAfter,
    }
    return { outcome, ending: 'answered' }
  } catch (error) {
    const isBlocked = error instanceof BlockedUrlError
    const isTimeout = error instanceof OutboundError && error.reason === 'timeout'
    const message = error instanceof OutboundError || isBlocked ? error.message : 'the request failed'
    const latencyMs = isBlocked ? null : elapsed()
    const address = isBlocked ? null : http.dialled(url)
    const silent = { statusCode: null, excerpt: null, responseHeaders: null, retryAfter: null }
    const outcome = { ...silent, error: message, latencyMs, address }
    return { outcome, ending: isTimeout ? 'timed_out' : 'failed' }
  }
}

/** `attempt`, with a span in the trace of its event where the server traces. The request to the target carries none. */
export function tracedAttempt(
  scope: Scope,
  row: LeasedDelivery,
  tools: AttemptTools,
  random: number,
): Promise<Attempted> {
  const { tracing } = scope
  if (tracing === null) return attempt(scope, row, tools, random)
  const event = { id: row.event_id, type: row.event ?? 'unknown' }
  return tracing.delivery(event, { 'earshot.attempt': row.attempts + 1 }, async (span) => {
    const attempted = await attempt(scope, row, tools, random)
    const { outcome } = attempted
    if (outcome.statusCode !== null) span.set({ 'http.response.status_code': outcome.statusCode })
    if (!isDelivered(outcome)) span.fail(outcome.statusCode === null ? 'no_answer' : String(outcome.statusCode))
    return attempted
  })
}

const MOST = 40
const LONGEST_VALUE = 200
const MASKED = '***'

// Headers that servers and proxies write about themselves.
const TECHNICAL = new Set(
  (
    'accept-ranges age allow alt-svc cache-control connection content-encoding content-length content-type date ' +
    'expires keep-alive last-modified etag nel pragma retry-after server server-timing strict-transport-security ' +
    'transfer-encoding upgrade vary via x-cache x-content-type-options x-frame-options x-powered-by ' +
    'x-request-id x-correlation-id x-amzn-requestid x-vercel-id cf-ray'
  ).split(' '),
)

/**
 * The headers of an answer for the log, as JSON. Only technical ones keep their value, so that the log holds no secret
 * and nothing that a person wrote.
 */
function loggedHeaders(headers: Record<string, string | string[] | undefined>): string {
  const logged: Record<string, string> = {}
  for (const [name, given] of Object.entries(headers).slice(0, MOST)) {
    const lower = name.toLowerCase().slice(0, 100)
    const value = (Array.isArray(given) ? given.join(', ') : (given ?? '')).slice(0, LONGEST_VALUE)
    logged[lower] = TECHNICAL.has(lower) ? value.replaceAll('\0', '') : MASKED
  }
  return JSON.stringify(logged)
}
