import { randomBytes } from 'node:crypto'
import { conflict, notFound, unprocessable } from '../../../../http/problem.ts'
import { presentPage, type Page, type PageRequest } from '../../../../http/pagination.ts'
import { formatId, newId, type Id } from '../../../../platform/ids.ts'
import { BlockedUrlError, OutboundError } from '../../../../platform/ports.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { z } from 'zod'
import { EVENT_TYPES } from '../../events/event-types.ts'
import { exampleBody } from '../../events/events.service.ts'
import { findSurveyIds } from '../../../surveys/surveys/surveys.service.ts'
import { matches } from '../engine/delivery.ts'
import { secretContext } from '../engine/attempt-caches.ts'
import * as queue from '../staging/queue.store.ts'
import type { CreateWebhook, TestResult, TestWebhook, UpdateWebhook, Webhook } from './webhooks.schema.ts'
import * as store from './webhooks.store.ts'

/** Registrations of one tenant. More would make each event a fan-out that no team can follow. */
export const MAX_WEBHOOKS = 100
const TEST_TIMEOUT_MS = 15_000
const UNREACHED = 'The target did not answer.'

type Presented = z.input<typeof Webhook>

/** @throws Problem 422 for a URL, an event or a survey that cannot be used; 409 past 100 registrations. */
export async function createWebhook(scope: Scope, input: z.output<typeof CreateWebhook>): Promise<Presented> {
  const url = await checkedUrl(scope, input.url)
  refuseUnknownEvents(input.events)
  const surveyIds = await findSurveyIds(scope, input.survey_ids, 'survey_ids')
  const id = newId('webhook')
  const secret = newSigningSecret()
  const row = await scope.tx(async (tx) => {
    if ((await store.countWebhooks(tx)) >= MAX_WEBHOOKS)
      throw conflict('too_many_webhooks', `A workspace holds at most ${MAX_WEBHOOKS} webhooks. Delete one first.`)
    return store.insertWebhook(tx, {
      id,
      url,
      description: input.description,
      events: input.events,
      surveyIds,
      includeText: input.include_text,
      includeCustomData: input.include_custom_data,
      includeAnswers: input.include_answers,
      secret: sealSecret(scope, id, secret),
      secretPreview: previewOf(secret),
      now: scope.clock.now(),
    })
  })
  return { ...present(row), secret }
}

export async function listWebhooks(scope: Scope, page: PageRequest): Promise<Page<Presented>> {
  const rows = await scope.read((tx) => store.listWebhooks(tx, page))
  return presentPage(rows, page.limit, present)
}

export async function getWebhook(scope: Scope, id: Id<'webhook'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findWebhook(tx, id))
  if (!row) throw notFound('webhook')
  return present(row)
}

/** How a webhook stands towards an event of some kind about some survey. */
export interface Standing {
  events: string[]
  takesEvent: boolean
  takesSurvey: boolean
  enabled: boolean
  registeredAt: Date
}

/** @throws Problem 404 for an unknown webhook. */
export async function standingTowards(scope: Scope, id: Id<'webhook'>, event: { type: string; surveyId: Id<'survey'> | null }): Promise<Standing> {
  const row = await scope.read((tx) => store.findWebhook(tx, id))
  if (!row) throw notFound('webhook')
  return {
    events: row.events,
    takesEvent: matches({ events: row.events, survey_ids: [] }, event),
    takesSurvey: matches({ events: [], survey_ids: row.survey_ids }, event),
    enabled: row.enabled,
    registeredAt: row.created_at,
  }
}

/** Changes a registration. Enabling one that was off makes its waiting rows due at once. */
export async function updateWebhook(scope: Scope, id: Id<'webhook'>, input: z.output<typeof UpdateWebhook>): Promise<Presented> {
  const url = input.url === undefined ? undefined : await checkedUrl(scope, input.url)
  if (input.events) refuseUnknownEvents(input.events)
  const surveyIds = input.survey_ids && (await findSurveyIds(scope, input.survey_ids, 'survey_ids'))
  return scope.tx(async (tx) => {
    const before = await store.lockWebhook(tx, id)
    if (!before) throw notFound('webhook')
    const enabled = input.enabled ?? before.enabled
    const now = scope.clock.now()
    const row = await store.updateWebhook(tx, id, {
      url: url ?? before.url,
      description: input.description ?? before.description,
      events: input.events ?? before.events,
      surveyIds: surveyIds ?? before.survey_ids,
      includeText: input.include_text ?? before.include_text,
      includeCustomData: input.include_custom_data ?? before.include_custom_data,
      includeAnswers: input.include_answers ?? before.include_answers,
      enabled,
      disabledReason: enabled ? null : (before.disabled_reason ?? 'manual'),
      now,
    })
    if (!row) throw notFound('webhook')
    if (before.enabled && !enabled) await queue.parkUnfinished(tx, id)
    if (!before.enabled && enabled) {
      await queue.unparkUnfinished(tx, id, now)
      scope.wakeAfter(tx, 'webhook-deliveries', { group: id, ids: [] })
    }
    return present(row)
  })
}

/** Replaces the secret at once: whatever is attempted from now on is signed with the new one. */
export async function rotateSecret(scope: Scope, id: Id<'webhook'>): Promise<Presented> {
  const secret = newSigningSecret()
  const row = await scope.tx((tx) => store.updateSecret(tx, id, { sealed: sealSecret(scope, id, secret), preview: previewOf(secret), now: scope.clock.now() }))
  if (!row) throw notFound('webhook')
  return { ...present(row), secret }
}

/** Ends a registration; its ledger stays, and what was unfinished becomes `failed` with `webhook_deleted`. */
export async function deleteWebhook(scope: Scope, id: Id<'webhook'>): Promise<void> {
  await scope.tx(async (tx) => {
    if ((await store.deleteWebhook(tx, id)) === 0) throw notFound('webhook')
    await queue.failUnfinished(tx, id, 'webhook_deleted')
  })
}

/**
 * Posts an example to a URL and waits for the answer; unsigned. Whether a target was blocked, closed or
 * filtered cannot be told from the result, so this is no way to look around a network.
 */
export async function testWebhook(scope: Scope, request: z.output<typeof TestWebhook>): Promise<z.input<typeof TestResult>> {
  const url = wellFormedUrl(scope, request.url)
  const body = exampleBody(request.event)
  if (body === null) throw unknownEvent('event')
  const started = performance.now()
  try {
    const answer = await scope.ports.outboundHttp.post({
      url,
      headers: { 'Content-Type': 'application/json', 'User-Agent': `Earshot/${scope.settings.version}` },
      body,
      timeoutMs: TEST_TIMEOUT_MS,
    })
    const ok = answer.status >= 200 && answer.status < 300
    return { status: answer.status, ok, latency_ms: Math.round(performance.now() - started), error: ok ? null : `The target answered ${answer.status}.` }
  } catch (error) {
    const reason = error instanceof OutboundError ? error.publicReason : null
    return { status: null, ok: false, latency_ms: null, error: reason ?? UNREACHED }
  }
}

/** `whsec_` and 64 hex characters (source specification, Limits). */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('hex')}`
}

function sealSecret(scope: Scope, id: Id<'webhook'>, secret: string): string {
  return scope.secrets.seal(secret, secretContext(id))
}

function previewOf(secret: string): string {
  return secret.slice('whsec_'.length, 'whsec_'.length + 4)
}

export function refuseUnknownEvents(events: string[]): void {
  const known: readonly string[] = EVENT_TYPES
  const unknown = events.findIndex((event) => !known.includes(event))
  if (unknown !== -1) throw unknownEvent(`events.${unknown}`)
}

export function unknownEvent(path: string) {
  return unprocessable('unknown_event', [{ path, message: `There is no such event. Known: ${EVENT_TYPES.join(', ')}.` }])
}

function wellFormedUrl(scope: Scope, text: string): string {
  const refuse = (message: string) => unprocessable('invalid_url', [{ path: 'url', message }])
  const url = URL.canParse(text) && /^https?:\/\//i.test(text) ? new URL(text) : null
  if (!url) throw refuse('An absolute http(s) URL is needed, such as https://example.com/hooks.')
  if (scope.settings.webhooks.httpsOnly && url.protocol !== 'https:') throw refuse('Only https is possible here.')
  if (url.username || url.password) throw refuse('A URL with a user name or password is not possible; verify the signature instead.')
  url.hash = ''
  return url.toString()
}

async function checkedUrl(scope: Scope, text: string): Promise<string> {
  const url = wellFormedUrl(scope, text)
  try {
    await scope.ports.outboundHttp.check(url)
  } catch (error) {
    if (!(error instanceof BlockedUrlError)) throw error
    throw unprocessable('blocked_url', [
      { path: 'url', message: 'This address is private or reserved. The operator can allow ranges with WEBHOOK_ALLOW_CIDRS.' },
    ])
  }
  return url
}

function present(row: store.WebhookRow): Presented {
  return {
    id: formatId('webhook', row.id),
    url: row.url,
    description: row.description,
    events: row.events,
    survey_ids: row.survey_ids.map((id) => formatId('survey', id)),
    include_text: row.include_text,
    include_custom_data: row.include_custom_data,
    include_answers: row.include_answers,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason,
    secret: row.secret_preview === null ? null : `whsec_${row.secret_preview}${'*'.repeat(12)}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
    last_failed_at: row.last_failed_at?.toISOString() ?? null,
  }
}
