import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../../http/routes/pagination.ts'
import { conflict, notFound, requireUnchanged } from '../../../../http/problems/problem.ts'
import { formatId, newId, type Id } from '../../../../platform/ids.ts'
import { heldBy } from '../../../../platform/readers.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { MASK } from '../../../../platform/schemas/secret-schema.ts'
import { findSurveyIds } from '../../../surveys/surveys/surveys.service.ts'
import { wakeForDue } from '../wakes.service.ts'
import { refuseUnknownEvents, matches } from './subscription.ts'
import { changedHeaders, maskedHeaders, openHeaders, sealHeaders } from './own-headers.ts'
import { maskedSecret, newSigningSecret, sealSecret } from './signing-secret.ts'
import { isReceiverUrl } from './receiver-url.ts'
import { checkedUrl, requireOpenReceiver } from './target-url.service.ts'
import { auditedWebhook } from './webhook-state.service.ts'
import * as unfinished from './unfinished.store.ts'
import type { CreateWebhook, RotateSecret, UpdateWebhook, Webhook } from './webhooks.schema.ts'
import * as store from './webhooks.store.ts'

/** Webhooks of one workspace. More would make each event a fan-out that no team can follow. */
export const MAX_WEBHOOKS = 100
const HOUR_MS = 3_600_000

type Presented = z.input<typeof Webhook>

/** @throws Problem 422 for a URL, an event or a survey that cannot be used; 409 past 100 webhooks. */
export async function createWebhook(scope: Scope, input: z.output<typeof CreateWebhook>): Promise<Presented> {
  const url = await checkedUrl(scope, input.url)
  refuseUnknownEvents(input.events)
  const surveyIds = await findSurveyIds(scope, input.survey_ids, 'survey_ids')
  const headers = changedHeaders({}, input.headers)
  const id = newId('webhook')
  const secret = newSigningSecret()
  const { sealed, preview } = sealSecret(scope.secrets, id, secret)
  const row = await scope.tx(async (tx) => {
    if ((await store.countWebhooks(tx)) >= MAX_WEBHOOKS)
      throw conflict('too_many_webhooks', `A workspace can have at most ${MAX_WEBHOOKS} webhooks. Delete one first.`)
    const made = await store.insertWebhook(tx, {
      id,
      url,
      description: input.description,
      events: input.events,
      surveyIds,
      includeText: input.include_text,
      includeCustomData: input.include_custom_data,
      includeAnswers: input.include_answers,
      secret: sealed,
      secretPreview: preview,
      tags: input.tags,
      headers: sealHeaders(scope.secrets, id, headers),
      headerNames: Object.keys(headers),
      now: scope.clock.now(),
    })
    auditedWebhook(scope, tx, 'create', id, { after: present(scope, made) })
    return made
  })
  return { ...present(scope, row), secret }
}

export async function listWebhooks(scope: Scope, page: PageRequest): Promise<Page<Presented>> {
  const rows = await scope.read((tx) => store.listWebhooks(tx, page))
  return presentPage(rows, page, (row) => present(scope, row))
}

/** @throws Problem 404 for an unknown webhook, like each of the following. */
export async function getWebhook(scope: Scope, id: Id<'webhook'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findWebhook(tx, id))
  if (!row) throw notFound('webhook')
  return present(scope, row)
}

/**
 * Changes a webhook. Enabling one that was off makes its waiting deliveries due at once. @throws Problem 412 `stale`.
 */
export async function updateWebhook(
  scope: Scope,
  id: Id<'webhook'>,
  input: z.output<typeof UpdateWebhook>,
  ifMatch?: string,
): Promise<Presented> {
  const url = input.url === undefined ? undefined : await checkedUrl(scope, input.url)
  if (input.events) refuseUnknownEvents(input.events)
  const surveyIds = input.survey_ids && (await findSurveyIds(scope, input.survey_ids, 'survey_ids'))
  return scope.tx(async (tx) => {
    const before = await store.lockWebhook(tx, id)
    if (!before) throw notFound('webhook')
    requireUnchanged(ifMatch, present(scope, before))
    const enabled = input.enabled ?? before.enabled
    // Its test receiver may have ended.
    if (enabled && !before.enabled && url === undefined && isReceiverUrl(scope.settings.baseUrl, before.url))
      await requireOpenReceiver(scope, tx, before.url)
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
      tags: input.tags ?? before.tags,
      ...headersAfter(scope, before, input.headers),
      now,
    })
    if (!row) throw notFound('webhook')
    if (before.enabled && !enabled) await unfinished.parkUnfinished(tx, id)
    if (!before.enabled && enabled) {
      await unfinished.unparkUnfinished(tx, id, now)
      wakeForDue(scope, tx)
    }
    // The sealed headers tell of a new value, and the log holds only their path.
    const [old, changed] = [before, row].map((each) => ({ ...present(scope, each), headers: each.headers }))
    auditedWebhook(scope, tx, 'update', id, { ...(old && { before: old }), ...(changed && { after: changed }) })
    return present(scope, row)
  })
}

/**
 * Replaces the secret at once. Until the overlap ends, `webhook-signature` has a signature with the old one too.
 */
export async function rotateSecret(
  scope: Scope,
  id: Id<'webhook'>,
  { overlap_hours: hours }: z.output<typeof RotateSecret>,
): Promise<Presented> {
  const secret = newSigningSecret()
  const sealed = sealSecret(scope.secrets, id, secret)
  const row = await scope.tx(async (tx) => {
    const now = scope.clock.now()
    const overlapUntil = hours === 0 ? null : new Date(now.getTime() + hours * HOUR_MS)
    const changed = await store.updateSecret(tx, id, { ...sealed, overlapUntil, now })
    if (changed) auditedWebhook(scope, tx, 'rotate_secret', id)
    return changed
  })
  if (!row) throw notFound('webhook')
  return { ...present(scope, row), secret }
}

/** Deletes a webhook. Its log stays, and its unfinished deliveries become `failed` with `webhook_deleted`. */
export async function deleteWebhook(scope: Scope, id: Id<'webhook'>, ifMatch?: string): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockWebhook(tx, id)
    if (!row) throw notFound('webhook')
    requireUnchanged(ifMatch, present(scope, row))
    await store.deleteWebhook(tx, id)
    await unfinished.failUnfinished(tx, id, 'webhook_deleted')
    auditedWebhook(scope, tx, 'delete', id)
  })
}

/** Every webhook of the workspace with its address, newest first. */
export async function listTargets(scope: Scope): Promise<Array<{ id: Id<'webhook'>; url: string }>> {
  return scope.read((tx) => store.listWebhooks(tx, { limit: MAX_WEBHOOKS, before: null }))
}

/** How a webhook stands towards events of one type about one survey. */
export interface Standing {
  events: string[]
  takesEvent: boolean
  takesSurvey: boolean
  enabled: boolean
  registeredAt: Date
}

export async function standingTowards(
  scope: Scope,
  id: Id<'webhook'>,
  event: { type: string; surveyId: Id<'survey'> | null },
): Promise<Standing> {
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

function headersAfter(
  { secrets }: Scope,
  { id, headers: sealed, header_names: headerNames }: store.WebhookRow,
  change: z.output<typeof UpdateWebhook>['headers'],
): Pick<store.WebhookChange, 'headers' | 'headerNames'> {
  if (change === undefined) return { headers: sealed, headerNames }
  const headers = changedHeaders(openHeaders(secrets, id, sealed), change)
  return { headers: sealHeaders(secrets, id, headers), headerNames: Object.keys(headers) }
}

/** Many receivers keep a secret in the query of their address, so those who may not manage endpoints do not see it. */
function seenUrl({ principal }: Scope, url: string): string {
  const at = url.indexOf('?')
  return at === -1 || heldBy(principal).has('integrations.manage') ? url : `${url.slice(0, at + 1)}${MASK}`
}

function present(scope: Scope, row: store.WebhookRow): Presented {
  const { clock } = scope
  const overlapUntil = row.previous_secret_expires_at
  return {
    id: formatId('webhook', row.id),
    url: seenUrl(scope, row.url),
    description: row.description,
    tags: row.tags,
    headers: maskedHeaders(row.header_names),
    events: row.events as Presented['events'],
    survey_ids: row.survey_ids.map((id) => formatId('survey', id)),
    include_text: row.include_text,
    include_custom_data: row.include_custom_data,
    include_answers: row.include_answers,
    enabled: row.enabled,
    disabled_reason: row.disabled_reason as Presented['disabled_reason'],
    secret: row.secret_preview === null ? null : maskedSecret(row.secret_preview),
    previous_secret_expires_at: overlapUntil && overlapUntil > clock.now() ? overlapUntil.toISOString() : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
    last_failed_at: row.last_failed_at?.toISOString() ?? null,
  }
}
