import type { z } from 'zod'
import { unprocessable } from '../../../../http/problem.ts'
import { newId, parseId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SWEEPS } from '../../../../platform/sweeps.ts'
import { DELIVERIES } from '../log/deliveries.service.ts'
import type { Queued, ReplayMany } from '../log/deliveries.schema.ts'
import * as deliveries from '../log/deliveries.store.ts'
import * as jobs from './jobs.store.ts'
import { exampleBody } from '../../events/events.service.ts'
import { unknownEvent } from '../registration/webhooks.service.ts'
import { findWebhook, lockWebhooks } from '../registration/webhooks.store.ts'

const BATCH = 500

/**
 * Queues every dead-lettered delivery that matches, up to now. The job is stored with the answer, and
 * a sweep carries it on in batches. @throws Problem 422 for a webhook or an event that does not exist.
 */
export async function startReplay(scope: Scope, input: z.output<typeof ReplayMany>): Promise<z.input<typeof Queued>> {
  if (input.event !== undefined && exampleBody(input.event) === null) throw unknownEvent('event')
  const now = scope.clock.now()
  const until = input.until && input.until < now ? input.until : now
  return scope.tx(async (tx) => {
    const webhookId = input.webhook_id === undefined ? null : parseId('webhook', input.webhook_id)
    if (input.webhook_id !== undefined && !(webhookId && (await findWebhook(tx, webhookId)))) throw unknownWebhook()
    const queued = await deliveries.countReplayable(tx, { webhookId: webhookId ?? undefined, event: input.event, since: input.since, until })
    if (queued === 0) return { queued }
    const id = newId('event')
    await jobs.insertJob(tx, 'replay', { id, webhook_id: webhookId, event: input.event ?? null, survey_id: null, since: input.since ?? null, until, now })
    scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return { queued }
  })
}

/** Queues the next batch of a replay. Returns how many rows it looked at; 0 ends the job. */
export async function continueReplay(scope: Scope, id: string): Promise<number> {
  return scope.tx(async (tx) => {
    const job = await jobs.lockJob(tx, id)
    if (!job) return 0
    const filter = { webhookId: job.webhook_id ?? undefined, event: job.event ?? undefined, since: job.since ?? undefined, until: job.until }
    const rows = await deliveries.listDeadLettered(tx, filter, { after: job.cursor, limit: BATCH })
    const last = rows.at(-1)
    if (!last) {
      await jobs.deleteJob(tx, id)
      return 0
    }
    // Locked first, so that one that is enabled meanwhile finds the rows that wait for it.
    const ids = rows.map((row) => row.id)
    await lockWebhooks(
      tx,
      (await deliveries.listWebhookIds(tx, ids)).map((row) => row.webhook_id),
    )
    const requeued = await deliveries.requeue(tx, ids, scope.clock.now())
    await jobs.advanceJob(tx, id, last.id)
    for (const [group, own] of byWebhook(requeued)) scope.wakeAfter(tx, DELIVERIES, { group, ids: own })
    return rows.length
  })
}

function byWebhook(rows: deliveries.DeliveryRow[]): Map<Id<'webhook'>, string[]> {
  const groups = new Map<Id<'webhook'>, string[]>()
  for (const row of rows) groups.set(row.webhook_id, [...(groups.get(row.webhook_id) ?? []), row.id])
  return groups
}

function unknownWebhook() {
  return unprocessable('unknown_webhook', [{ path: 'webhook_id', message: 'There is no such webhook in this workspace.' }])
}
