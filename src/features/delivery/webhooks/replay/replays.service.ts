import type { z } from 'zod'
import { conflict, unprocessable } from '../../../../http/problems/problem.ts'
import { audit, auditOf, auditTarget } from '../../../../platform/audit.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import { formatId, newId, parseId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { exampleBody } from '../../events/events.service.ts'
import type { Delivery } from '../log/deliveries.schema.ts'
import { readDelivery } from '../log/deliveries.service.ts'
import { unknownEvent } from '../registration/subscription.ts'
import { findWebhook, lockWebhook, lockWebhooks } from '../registration/webhook-state.service.ts'
import { wakeForDue, wakeForRows } from '../wakes.service.ts'
import { startJobIn } from './jobs.service.ts'
import * as jobs from './jobs.store.ts'
import type { Queued, ReplayMany } from './replays.schema.ts'
import * as store from './replays.store.ts'

const audited = auditOf('delivery')

const BATCH = 500

/** Queues a dead-lettered delivery again under its own id, and then runs the workspace's pending set. */
export async function replayDelivery(scope: Scope, id: Id<'delivery'>): Promise<z.input<typeof Delivery>> {
  return scope.tx(async (tx) => {
    const { webhookId } = await readDelivery(tx, id)
    if (!(await lockWebhook(tx, webhookId))) throw webhookGone()
    const requeued = await store.requeue(tx, [id], scope.clock.now())
    if (requeued.length === 0) throw notDeadLettered()
    wakeForDue(scope, tx)
    audited(scope, tx, 'replay', id)
    return (await readDelivery(tx, id)).presented
  })
}

/**
 * Queues every dead-lettered delivery that matches, up to now. The job is stored with the answer, and
 * a sweep carries it on in batches. @throws Problem 422 for a webhook or an event that does not exist.
 */
export async function startReplay(scope: Scope, input: z.output<typeof ReplayMany>): Promise<z.input<typeof Queued>> {
  if (input.event !== undefined && exampleBody(input.event) === null) throw unknownEvent('event')
  const now = scope.clock.now()
  return scope.tx(async (tx) => {
    const filter = {
      webhook_id: input.webhook_id === undefined ? null : await knownWebhook(tx, input.webhook_id),
      event: input.event ?? null,
      since: input.since ?? null,
      until: input.until && input.until < now ? input.until : now,
    }
    const { queued, disabled } = queuedOf(await store.countReplayable(tx, filter))
    if (queued > 0 && !input.dry_run) {
      await startJobIn(scope, tx, 'replay', { id: newId('event'), survey_id: null, ...filter })
      audit(scope, tx, {
        action: 'delivery.replay_many',
        target: filter.webhook_id && auditTarget('webhook', filter.webhook_id),
        changes: [{ path: 'queued', to: queued }],
      })
    }
    return { queued, disabled, ...(input.dry_run && { dry_run: true as const }) }
  })
}

/** How many events are sent, and how many of them wait until their webhook is enabled. */
export function queuedOf(rows: store.SendableRow[]): Pick<z.input<typeof Queued>, 'queued' | 'disabled'> {
  return {
    queued: rows.reduce((sum, { events }) => sum + events, 0),
    disabled: rows
      .filter(({ enabled }) => !enabled)
      .map(({ webhook_id, events }) => ({ webhook_id: formatId('webhook', webhook_id), queued: events })),
  }
}

/** Queues the next batch of a replay. Returns how many deliveries it looked at; 0 ends the job. */
export async function continueReplay(scope: Scope, id: string): Promise<number> {
  return scope.tx(async (tx) => {
    const job = await jobs.lockJob(tx, id)
    if (!job) return 0
    const rows = await store.listDeadLetters(tx, job, { after: job.cursor, limit: BATCH })
    const last = rows.at(-1)
    if (!last) {
      await jobs.deleteJob(tx, id)
      return 0
    }
    // Locked first: enabling one meanwhile waits, and then finds the rows that wait for it.
    await lockWebhooks(
      tx,
      rows.map((row) => row.webhook_id),
    )
    const ids = rows.map((row) => row.id)
    const requeued = await store.requeue(tx, ids, scope.clock.now())
    await jobs.advanceJob(tx, id, last.id)
    for (const [webhookId, own] of Map.groupBy(requeued, (row) => row.webhook_id)) {
      wakeForRows(
        scope,
        tx,
        webhookId,
        own.map((row) => row.id),
      )
    }
    return rows.length
  })
}

async function knownWebhook(tx: ReadTx, text: string): Promise<Id<'webhook'>> {
  const id = parseId('webhook', text)
  if (id && (await findWebhook(tx, id))) return id
  const message = 'There is no such webhook in this workspace.'
  throw unprocessable('unknown_webhook', [{ path: 'webhook_id', message }])
}

function webhookGone() {
  const detail = 'The webhook of this delivery is gone. Register it again and backfill instead.'
  return conflict('webhook_deleted', detail)
}

function notDeadLettered() {
  const detail = 'Only a dead-lettered delivery can be replayed. This one is still in the queue or was delivered.'
  return conflict('not_dead_lettered', detail)
}
