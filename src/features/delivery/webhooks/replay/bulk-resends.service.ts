import type { z } from 'zod'
import { unprocessable } from '../../../../http/problems/problem.ts'
import { audit, auditTarget } from '../../../../platform/audit.ts'
import { newId, parseId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { exampleBody } from '../../events/events.service.ts'
import { findSurveyId } from '../../../surveys/surveys/surveys.service.ts'
import { unknownEvent } from '../registration/subscription.ts'
import { findWebhook, lockWebhooks } from '../registration/webhook-state.service.ts'
import { stageFor } from '../staging/staging.service.ts'
import * as jobs from './jobs.store.ts'
import { startJobIn } from './jobs.service.ts'
import type { Queued, ResendMany } from './replays.schema.ts'
import { queuedOf } from './replays.service.ts'
import * as store from './replays.store.ts'

/** The most deliveries of one call. Counting them takes a fraction of a second. */
const MOST = 100_000
const BATCH = 200

/**
 * Sends every delivered event that matches once more to its webhook, as new deliveries with the same event ids. The job
 * is stored with the answer, and a sweep carries it on in batches.
 * @throws Problem 422 for an unknown webhook, event or survey, and for more than 100,000 deliveries.
 */
export async function startResend(scope: Scope, input: z.output<typeof ResendMany>): Promise<z.input<typeof Queued>> {
  if (input.event !== undefined && exampleBody(input.event) === null) throw unknownEvent('event')
  const surveyId = input.survey_id === undefined ? null : await findSurveyId(scope, input.survey_id, 'survey_id')
  const now = scope.clock.now()
  return scope.tx(async (tx) => {
    const webhookId = input.webhook_id === undefined ? null : parseId('webhook', input.webhook_id)
    if (input.webhook_id !== undefined && !(webhookId && (await findWebhook(tx, webhookId)))) throw unknownWebhook()
    const filter = {
      webhook_id: webhookId,
      event: input.event ?? null,
      survey_id: surveyId,
      since: input.since ?? null,
      until: input.until && input.until < now ? input.until : now,
    }
    const found = await store.countDelivered(tx, filter, MOST + 1)
    if (found.reduce((sum, { deliveries }) => sum + deliveries, 0) > MOST) throw tooMany()
    const { queued, disabled } = queuedOf(found)
    if (queued > 0 && !input.dry_run) {
      await startJobIn(scope, tx, 'resend', { id: newId('event'), ...filter })
      audit(scope, tx, {
        action: 'delivery.resend_many',
        target: webhookId && auditTarget('webhook', webhookId),
        changes: [{ path: 'queued', to: queued }],
      })
    }
    return { queued, disabled, ...(input.dry_run && { dry_run: true as const }) }
  })
}

/** Enqueues the next batch of a resend. Returns how many deliveries it looked at; 0 ends the job. */
export async function continueResend(scope: Scope, id: string): Promise<number> {
  return scope.tx(async (tx) => {
    const job = await jobs.lockJob(tx, id)
    if (!job) return 0
    const rows = await store.listDelivered(tx, job, { after: job.cursor, limit: BATCH })
    const last = rows.at(-1)
    if (!last) {
      await jobs.deleteJob(tx, id)
      return 0
    }
    await lockWebhooks(
      tx,
      rows.map((row) => row.webhook_id),
    )
    for (const row of rows) {
      const event = { id: row.event_id, type: row.event, surveyId: row.survey_id, day: row.day }
      // An event that was delivered to a webhook more than once is sent once more by one job.
      await stageFor(scope, tx, event, row.webhook_id, { id })
    }
    await jobs.advanceJob(tx, id, last.id)
    return rows.length
  })
}

function unknownWebhook() {
  const message = 'There is no such webhook in this workspace.'
  return unprocessable('unknown_webhook', [{ path: 'webhook_id', message }])
}

function tooMany() {
  const message = `More than ${MOST.toLocaleString('en')} deliveries match. Narrow the time, and call more than once.`
  return unprocessable('too_many', [{ path: 'since', message }])
}
