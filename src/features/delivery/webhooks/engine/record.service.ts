import { dayOf } from '../../../../platform/instant.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import { type Scope, signalOf } from '../../../../platform/scope.ts'
import { lockWebhooks, parkDisabled } from '../registration/webhook-state.service.ts'
import type { Attempted, SettledAttempt } from './attempt.ts'
import { isDelivered } from './delivery.ts'
import { disableAndTell } from './disabling.service.ts'
import * as store from './record.store.ts'
import { recordChanged } from '../../../../platform/changes/changes.ts'

/** A receiver's 2xx answer to an event. */
export interface Answered {
  event: string
  /** JSON of the event's unredacted `data`. */
  data: string
  webhookId: Id<'webhook'>
  /** The beginning of the answer's body. */
  excerpt: string
}

/**
 * Receivers took deliveries and answered with JSON. Payload in the transaction that records it, perhaps more than once.
 */
export const ANSWERED = signalOf<Answered[]>('deliveries.answered')

const FAILING_MS = 5 * 86_400_000
const SUCCESS_NOTED_MS = 1_000

/** Writes the results of one tenant's attempts, successes and failures apart: most batches have only successes. */
export async function recordAttempts(scope: Scope, attempts: Attempted[]): Promise<void> {
  const successes = attempts.filter(({ outcome }) => isDelivered(outcome))
  const failures = attempts.filter(({ outcome }) => !isDelivered(outcome))
  if (successes.length > 0) await recordSuccesses(scope, successes)
  if (failures.length > 0) await recordFailures(scope, failures, new Set(successes.map(({ row }) => row.webhook_id)))
}

async function recordSuccesses(scope: Scope, attempts: Attempted[]): Promise<void> {
  const ids = new Set(attempts.filter(isNews).map(({ row }) => row.webhook_id))
  const succeeded = { ids: [...ids], at: scope.clock.now() }
  const answers = attempts.flatMap(answerIn)
  await scope.tx(async (tx) => {
    store.recordSuccesses(tx, attempts.map(settledOf), succeeded)
    noteChanged(scope, tx, attempts)
    if (answers.length > 0) await scope.signals.emit(ANSWERED, scope, tx, answers)
  })
}

function answerIn({ row: { event, data, webhook_id: webhookId }, outcome: { excerpt } }: Attempted): Answered[] {
  // Most receivers answer with nothing, or with a word.
  if (event === null || data === null || !excerpt?.trimStart().startsWith('{')) return []
  return [{ event, data, webhookId, excerpt }]
}

// People read the time of the last success, and every event reads the row: it is written at most once a second.
function isNews({ row, settled }: Attempted): boolean {
  if (row.failing_since !== null || row.last_delivered_at === null) return true
  return settled.at.getTime() - row.last_delivered_at.getTime() >= SUCCESS_NOTED_MS
}

async function recordFailures(scope: Scope, attempts: Attempted[], delivered: Set<Id<'webhook'>>): Promise<void> {
  const now = scope.clock.now()
  await scope.tx(async (tx) => {
    const { failures, gone } = await writeFailures(tx, attempts)
    noteChanged(scope, tx, attempts)
    for (const webhook of await store.touchFailed(tx, [...failures.values()], now)) {
      const isExhausted = now.getTime() - webhook.failing_since.getTime() >= FAILING_MS && !delivered.has(webhook.id)
      if (gone.has(webhook.id)) await disableAndTell(scope, tx, webhook, 'gone')
      else if (isExhausted) await disableAndTell(scope, tx, webhook, 'failing')
    }
    // A row that failed while its webhook was disabled waits like the others.
    await parkDisabled(tx, failures.keys())
  })
}

/** Returns the last failure of each webhook that was recorded, and the webhooks that answered 410. */
async function writeFailures(
  tx: TenantTx,
  attempts: Attempted[],
): Promise<{ failures: Map<Id<'webhook'>, store.Failure>; gone: Set<Id<'webhook'>> }> {
  await lockWebhooks(tx, attempts.map(webhookOf))
  const written = await store.recordFailures(tx, attempts.map(settledOf))
  const recorded = attempts.filter(({ row }) => written.has(row.id))
  const gone = recorded.filter(({ outcome }) => outcome.statusCode === 410)
  const failures = recorded.map(({ row: { webhook_id: webhookId }, settled: { statusCode, error } }) => ({
    webhookId,
    statusCode,
    error,
  }))
  return { failures: new Map(failures.map((each) => [each.webhookId, each])), gone: new Set(gone.map(webhookOf)) }
}

// Events of anonymous surveys carry their day in place of their moment. No stream names their deliveries.
function noteChanged(scope: Scope, tx: TenantTx, attempts: Attempted[]): void {
  const told = attempts.filter(({ row: { event_created_at: at } }) => at === null || dayOf(at) < at)
  recordChanged(
    scope,
    tx,
    'deliveries',
    'updated',
    'delivery',
    told.map(({ row }) => row.id),
  )
}

function settledOf({ settled }: Attempted): SettledAttempt {
  return settled
}

function webhookOf({ row }: Attempted): Id<'webhook'> {
  return row.webhook_id
}
