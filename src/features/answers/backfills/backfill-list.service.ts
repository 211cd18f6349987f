import type { z } from 'zod'
import { presentPage, type Page, type PageRequest } from '../../../http/routes/pagination.ts'
import { notFound } from '../../../http/problems/problem.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findWebhook } from '../../delivery/webhooks/registration/webhook-state.service.ts'
import type { BackfillJob } from './backfills.schema.ts'
import * as store from './backfills.store.ts'

type Presented = z.input<typeof BackfillJob>

/** @throws Problem 404. */
export async function requireWebhook(scope: Scope, id: Id<'webhook'>): Promise<void> {
  if (!(await scope.read((tx) => findWebhook(tx, id)))) throw notFound('webhook')
}

/** The backfills of one webhook, newest first. @throws Problem 404 for the webhook. */
export async function listBackfills(
  scope: Scope,
  webhookId: Id<'webhook'>,
  page: PageRequest,
): Promise<Page<Presented>> {
  const rows = await scope.read(async (tx) => {
    if (!(await findWebhook(tx, webhookId))) throw notFound('webhook')
    return store.listBackfills(tx, webhookId, page)
  })
  return presentPage(rows, page, presentBackfill)
}

/** @throws Problem 404 for the webhook, and for a backfill of another one. */
export async function getBackfill(scope: Scope, webhookId: Id<'webhook'>, id: Id<'backfill'>): Promise<Presented> {
  const row = await scope.read(async (tx) => {
    if (!(await findWebhook(tx, webhookId))) throw notFound('webhook')
    return store.findBackfill(tx, id)
  })
  if (row?.webhook_id !== webhookId) throw notFound('backfill')
  return presentBackfill(row)
}

function presentBackfill(row: store.BackfillRow): Presented {
  return {
    id: formatId('backfill', row.id),
    webhook_id: formatId('webhook', row.webhook_id),
    survey_id: row.survey_id && formatId('survey', row.survey_id),
    since: row.since?.toISOString() ?? null,
    response_ids: row.response_ids?.map((id) => formatId('response', id)) ?? null,
    until: row.until.toISOString(),
    event_ids: row.event_ids,
    status: row.ended_at ? 'completed' : 'running',
    progress: { total: row.total, done: row.done },
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}
