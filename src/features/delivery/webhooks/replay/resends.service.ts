import type { z } from 'zod'
import { conflict, notFound } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import { newId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { insertExample } from '../../events/events.service.ts'
import type { Delivery } from '../log/deliveries.schema.ts'
import { readDelivery, readEventOf } from '../log/deliveries.service.ts'
import { unknownEvent } from '../registration/subscription.ts'
import { findWebhook, lockWebhook } from '../registration/webhook-state.service.ts'
import { stageFor } from '../staging/staging.service.ts'
import { TEST_SENDING } from '../log/delivery.entity.ts'
import { wakeForRows } from '../wakes.service.ts'
import type { SendTest } from './replays.schema.ts'
import * as store from './replays.store.ts'

const auditedDelivery = auditOf('delivery')
const auditedWebhook = auditOf('webhook')

type Presented = z.input<typeof Delivery>

/** Makes the next attempt of a failed delivery due now. @throws Problem 409 unless it waits for one. */
export async function retryDelivery(scope: Scope, id: Id<'delivery'>): Promise<Presented> {
  return scope.tx(async (tx) => {
    const { webhookId } = await readDelivery(tx, id)
    if ((await store.makeDue(tx, id, scope.clock.now())) === 0) throw notWaiting()
    wakeForRows(scope, tx, webhookId, [id])
    auditedDelivery(scope, tx, 'retry', id)
    return (await readDelivery(tx, id)).presented
  })
}

/** Sends a delivered event once more, as a new delivery with the same event id. */
export async function resendDelivery(scope: Scope, id: Id<'delivery'>): Promise<Presented> {
  return scope.tx(async (tx) => {
    const { webhookId, presented } = await readDelivery(tx, id)
    if (presented.status !== 'delivered') throw notDelivered()
    if (!(await lockWebhook(tx, webhookId))) throw webhookGone()
    const event = await readEventOf(tx, id)
    if (!event) throw eventGone()
    const again = await stageFor(scope, tx, event, webhookId, { id: newId('event') })
    if (!again) throw eventGone()
    auditedDelivery(scope, tx, 'resend', again)
    return (await readDelivery(tx, again)).presented
  })
}

/** Sends the catalogue's example of an event to one webhook, signed and logged. */
export async function sendTest(
  scope: Scope,
  id: Id<'webhook'>,
  { event: type }: z.output<typeof SendTest>,
): Promise<Presented> {
  return scope.tx(async (tx) => {
    const webhook = await findWebhook(tx, id)
    if (!webhook) throw notFound('webhook')
    if (!webhook.enabled) throw disabled()
    const event = await insertExample(scope, tx, type)
    if (!event) throw unknownEvent('event')
    const delivery = await stageFor(scope, tx, event, id, { id: TEST_SENDING, isTest: true })
    if (!delivery) throw notFound('webhook')
    auditedWebhook(scope, tx, 'test', id)
    return (await readDelivery(tx, delivery)).presented
  })
}

function notWaiting() {
  return conflict('not_waiting', 'Only a failed delivery that waits for its next attempt can be retried now.')
}

function notDelivered() {
  return conflict('not_delivered', 'Only a delivered event can be sent once more. Retry or replay this one.')
}

function webhookGone() {
  return conflict('webhook_deleted', 'The webhook of this delivery is gone. Register it again and backfill instead.')
}

function eventGone() {
  return conflict('event_gone', 'The event of this delivery is no longer kept. Backfill the survey instead.')
}

function disabled() {
  return conflict('webhook_disabled', 'This webhook is disabled. Enable it first.')
}
