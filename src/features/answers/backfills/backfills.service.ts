import type { z } from 'zod'
import { notFound, unprocessable, type Issue } from '../../../http/problems/problem.ts'
import type { Among } from '../../../platform/work/across-tenants.ts'
import { auditOf } from '../../../platform/audit.ts'
import { dayOf } from '../../../platform/instant.ts'
import type { SystemTx } from '../../../platform/database/database.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { ensureEvent } from '../../delivery/events/events.service.ts'
import {
  countCompletedSince,
  findResponse,
  listCompletedOf,
  listCompletedSince,
} from '../responses/responses.service.ts'
import { completedEvent, completedSource } from '../responses/response-events.service.ts'
import { findSurveyIds } from '../../surveys/surveys/surveys.service.ts'
import { listDeliveriesOfSource } from '../../delivery/webhooks/log/deliveries.service.ts'
import { stageBackfill } from '../../delivery/webhooks/staging/staging.service.ts'
import {
  advanceBackfill,
  carryOnJobs,
  endBackfill,
  hasWaitingJobs,
  lockBackfill,
  startJobIn,
} from '../../delivery/webhooks/replay/jobs.service.ts'
import { listTargets, standingTowards } from '../../delivery/webhooks/registration/webhooks.service.ts'
import * as store from './backfills.store.ts'
import { standingOf } from '../responses/anonymity/anonymity.service.ts'
import type { Backfill, Explanation, ExplainQuery, ResponseExplanation, StartBackfill } from './backfills.schema.ts'

const audited = auditOf('webhook')

const BATCH = 200
/** How long people can look up a backfill that has ended. */
const KEPT_MS = 90 * 86_400_000
const EVENT = 'response.completed'

type Input = z.output<typeof StartBackfill>

/**
 * Sends completed responses to one webhook again, by its present toggles: those of a survey since a time, or named
 * ones. Each keeps its event id, so a receiver can skip those it has, unless new ids are asked for.
 * @throws Problem 404 for the webhook; 422 if the survey or a response is unknown, or the webhook does not cover it.
 */
export async function startBackfill(
  scope: Scope,
  webhookId: Id<'webhook'>,
  input: Input,
): Promise<z.input<typeof Backfill>> {
  await standingTowards(scope, webhookId, { type: EVENT, surveyId: null })
  const until = scope.clock.now()
  const { surveyId, since, responseIds, queued } =
    'response_ids' in input
      ? await chooseNamed(scope, webhookId, input.response_ids)
      : await chooseSince(scope, webhookId, input, until)
  const id = !input.dry_run && queued > 0 ? newId('backfill') : null
  if (id)
    await scope.tx(async (tx) => {
      await store.deleteEnded(tx, new Date(until.getTime() - KEPT_MS))
      await store.insertBackfill(tx, {
        id,
        webhook_id: webhookId,
        survey_id: surveyId,
        since,
        response_ids: responseIds,
        until,
        event_ids: input.event_ids,
        total: queued,
        created_at: until,
      })
      await startJobIn(scope, tx, 'backfill', {
        id,
        webhook_id: webhookId,
        event: EVENT,
        survey_id: surveyId,
        since,
        until,
      })
      audited(scope, tx, 'backfill', webhookId, {
        changes: [
          ...(surveyId ? [{ path: 'survey_id', to: formatId('survey', surveyId) }] : []),
          ...(since ? [{ path: 'since', to: since.toISOString() }] : []),
          { path: 'queued', to: queued },
        ],
      })
    })
  return { queued, dry_run: input.dry_run, id: id && formatId('backfill', id) }
}

interface Choice {
  surveyId: Id<'survey'> | null
  since: Date | null
  responseIds: Array<Id<'response'>> | null
  queued: number
}

/** @throws Problem 422 if the survey is unknown or the webhook does not cover it. */
async function chooseSince(
  scope: Scope,
  webhookId: Id<'webhook'>,
  { survey_id, since }: Extract<Input, { survey_id: string }>,
  until: Date,
): Promise<Choice> {
  const [surveyId] = await findSurveyIds(scope, [survey_id], 'survey_id')
  if (!surveyId) throw notFound('survey')
  const { takesEvent, takesSurvey } = await standingTowards(scope, webhookId, { type: EVENT, surveyId })
  if (!takesEvent || !takesSurvey) throw unprocessable('out_of_scope', [outOfScope('survey_id')])
  return { surveyId, since, responseIds: null, queued: await countCompletedSince(scope, { surveyId, since, until }) }
}

/** @throws Problem 422 if one is unknown, not completed or anonymous, or the webhook does not cover its survey. */
async function chooseNamed(scope: Scope, webhookId: Id<'webhook'>, names: string[]): Promise<Choice> {
  const ids = names.map((name) => parseId('response', name))
  const rows = await scope.read((tx) => listCompletedOf(tx, { ids: ids.filter((id) => id !== null), after: null }))
  const byId = new Map(rows.map((row) => [row.id, row]))
  const known = ids.map((id) => (id === null ? undefined : byId.get(id)))
  const unknown = known.flatMap((row, index) =>
    row ? [] : [{ path: `response_ids.${index}`, message: 'There is no completed response with this id.' }],
  )
  if (unknown.length > 0) throw unprocessable('unknown_response', unknown)
  const refused = new Set<string>()
  for (const surveyId of new Set(rows.map((row) => row.survey_id))) {
    const { takesEvent, takesSurvey } = await standingTowards(scope, webhookId, { type: EVENT, surveyId })
    if (!takesEvent || !takesSurvey) refused.add(surveyId)
  }
  const outside = known.flatMap((row, index) =>
    row && refused.has(row.survey_id) ? [outOfScope(`response_ids.${index}`)] : [],
  )
  if (outside.length > 0) throw unprocessable('out_of_scope', outside)
  return { surveyId: null, since: null, responseIds: rows.map(({ id }) => id), queued: rows.length }
}

function outOfScope(path: string): Issue {
  return {
    path,
    message: `This webhook does not take ${EVENT} of this survey. Change its events or survey_ids first.`,
  }
}

export function hasWaitingBackfills(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasWaitingJobs(tx, among, 'backfill', now)
}

/** Continues every waiting backfill until it ends or `signal` stops it. */
export function continueBackfills(system: SystemScope, options: SweepOptions): Promise<number> {
  return carryOnJobs(system, options, 'backfill', continueBackfill)
}

/** Enqueues the next batch of a backfill. Returns the number of responses, 0 when the job has ended. */
async function continueBackfill(scope: Scope, id: string): Promise<number> {
  return scope.tx(async (tx) => {
    const job = await lockBackfill(tx, id)
    if (!job) return 0
    const { webhook_id: webhookId, survey_id: surveyId, since } = job
    const backfillId = id as Id<'backfill'>
    // A backfill of an earlier release has no row.
    const backfill = await store.findBackfill(tx, backfillId)
    const ids = backfill?.response_ids
    const rows = ids
      ? await listCompletedOf(tx, { ids, after: job.cursor })
      : surveyId && since
        ? await listCompletedSince(tx, { surveyId, since, until: job.until, after: job.cursor, limit: BATCH })
        : []
    const last = rows.at(-1)
    if (!last || !webhookId) {
      await store.endBackfill(tx, backfillId, scope.clock.now())
      await endBackfill(tx, id)
      return 0
    }
    const isNew = backfill?.event_ids === 'new'
    for (const row of rows) {
      const day = row.anonymity ? (row.counted_on ?? dayOf(row.started_at)) : undefined
      const event = completedEvent(row, day)
      const source = isNew ? `${event.source}:${id}` : event.source
      const eventId = await ensureEvent(scope, tx, { ...event, source })
      await stageBackfill(
        scope,
        tx,
        { id: eventId, type: EVENT, surveyId: row.survey_id, day: day ?? null },
        webhookId,
        id,
      )
    }
    await store.addProgress(tx, backfillId, rows.length)
    await advanceBackfill(tx, id, last.id)
    return rows.length
  })
}

/** Explains, check by check, why a response was or was not sent to a webhook. @throws Problem 404 for either id. */
export async function explain(
  scope: Scope,
  webhookId: Id<'webhook'>,
  query: z.output<typeof ExplainQuery>,
): Promise<z.input<typeof Explanation>> {
  return explainTo(scope, webhookId, await requireResponse(scope, parseId('response', query.response_id)))
}

/** Explains the same for each webhook of the workspace, disabled ones too. @throws Problem 404. */
export async function explainResponse(scope: Scope, id: Id<'response'>): Promise<z.input<typeof ResponseExplanation>> {
  const asked = await requireResponse(scope, id)
  const webhooks = []
  for (const { id: webhookId, url } of await listTargets(scope)) {
    const { enqueued, reasons, deliveries } = await explainTo(scope, webhookId, asked)
    webhooks.push({
      webhook_id: formatId('webhook', webhookId),
      url,
      outcome: outcomeOf(deliveries),
      enqueued,
      reasons,
      deliveries,
    })
  }
  return { response_id: formatId('response', id), webhooks }
}

function outcomeOf(
  deliveries: z.input<typeof Explanation>['deliveries'],
): z.input<typeof ResponseExplanation>['webhooks'][number]['outcome'] {
  if (deliveries.some(({ status }) => status === 'delivered')) return 'delivered'
  if (deliveries.some(({ dead_lettered }) => !dead_lettered)) return 'waiting'
  return deliveries.length > 0 ? 'dead_lettered' : 'not_sent'
}

interface Asked {
  response: NonNullable<Awaited<ReturnType<typeof findResponse>>>
  threshold: Awaited<ReturnType<typeof standingOf>> | null
}

async function requireResponse(scope: Scope, id: Id<'response'> | null): Promise<Asked> {
  const response = id && (await findResponse(scope, id))
  if (!response) throw notFound('response')
  const threshold = response.anonymity ? await standingOf(scope, response.survey_id, response.id) : null
  return { response, threshold }
}

async function explainTo(
  scope: Scope,
  webhookId: Id<'webhook'>,
  { response, threshold }: Asked,
): Promise<z.input<typeof Explanation>> {
  const { events, takesEvent, takesSurvey, enabled, registeredAt } = await standingTowards(scope, webhookId, {
    type: EVENT,
    surveyId: response.survey_id,
  })
  const deliveries = await listDeliveriesOfSource(scope, webhookId, completedSource(response.id))
  const leftAt = threshold ? threshold.leavesAt : response.completed_at
  // Only a completed response can be older than the webhook.
  const early = response.state === 'completed' && leftAt !== null && registeredAt > leftAt
  return {
    response_id: formatId('response', response.id),
    webhook_id: formatId('webhook', webhookId),
    enqueued: deliveries.length > 0,
    reasons: [
      {
        check: 'completed',
        ok: response.state === 'completed',
        detail:
          response.state === 'completed'
            ? 'The response is completed.'
            : `The response is ${response.state}. Only completed responses are sent.`,
      },
      ...(threshold && response.state === 'completed' ? [thresholdCheck(threshold)] : []),
      {
        check: 'event',
        ok: takesEvent,
        detail: takesEvent ? `The webhook takes ${EVENT}.` : `The webhook takes only ${events.join(', ')}.`,
      },
      {
        check: 'survey',
        ok: takesSurvey,
        detail: takesSurvey ? 'The webhook covers the survey.' : 'The survey is not in the webhook’s survey_ids.',
      },
      {
        check: 'registered_before',
        ok: !early,
        detail: !early
          ? 'The response was not completed before the webhook was registered.'
          : `The webhook did not exist when the response was completed. ${deliveries.length > 0 ? 'A backfill sent it.' : 'Start a backfill to send it.'}`,
      },
      {
        check: 'enabled',
        ok: enabled,
        detail: enabled
          ? 'The webhook is enabled.'
          : 'The webhook is disabled: its deliveries wait until it is enabled.',
      },
    ],
    deliveries: deliveries.map(({ id, status, dead_lettered, attempts, last_error, next_attempt_at }) => ({
      id,
      status,
      dead_lettered,
      attempts,
      last_error,
      next_attempt_at,
    })),
  }
}

function thresholdCheck({ published, isBelow }: Awaited<ReturnType<typeof standingOf>>) {
  if (published) return { check: 'threshold', ok: true, detail: 'The response has left with others.' }
  return isBelow
    ? {
        check: 'below_threshold',
        ok: false,
        detail: 'The survey is anonymous and has too few responses. None of them is sent.',
      }
    : {
        check: 'threshold',
        ok: false,
        detail: 'The survey is anonymous. The response waits for others, and for the end of their last day (UTC).',
      }
}
