import type { z } from 'zod'
import { conflict, notFound, type Issue } from '../../../http/problems/problem.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import { callerId } from '../../../platform/principal.ts'
import { type Scope, signalOf } from '../../../platform/scope.ts'
import { runInSlices } from '../../../platform/loop/turns.ts'
import { publishChecks } from '../../../survey-engine/checks/publish-checks.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { contactFieldsOf } from '../../../survey-engine/types/contact.ts'
import { lock, present, recorded, type PresentedSurvey } from './changes.service.ts'
import { closingIssues, refuse } from './issues.ts'
import { afterTransition, TRANSITIONS, type Transition } from './openness.ts'
import { privacyIssues } from './published-surveys.service.ts'
import * as quotas from './quotas.store.ts'
import type { Validation } from './surveys.schema.ts'
import * as store from './surveys.store.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { listFormat } from '../../../platform/text/formats.ts'

/** The receivers of completed responses of a survey. */
interface Notified {
  /** Enabled webhooks. */
  webhooks: number
  /** Subscriptions of members. */
  members: number
  alert_rules: number
}

/** A survey begins to take responses. Each listener adds those whom it will tell. */
export const OPENED = signalOf<{ surveyId: Id<'survey'>; notified: Notified }>('survey.opened')

async function readNotified(scope: Scope, tx: TenantTx, surveyId: Id<'survey'>): Promise<Notified> {
  const notified: Notified = { webhooks: 0, members: 0, alert_rules: 0 }
  await scope.signals.emit(OPENED, scope, tx, { surveyId, notified })
  return notified
}

/**
 * Makes the draft the published version, and the survey live (a paused one stays paused). Does nothing without changes
 * since the last publish.
 * @throws Problem 409 in another state, 422 with an issue for each error.
 */
export async function publishSurvey(
  scope: Scope,
  id: Id<'survey'>,
  ifMatch: string | undefined,
): Promise<PresentedSurvey & { survey: { notifies: Notified } }> {
  return scope.tx(async (tx) => {
    const row = await lock(tx, id, ifMatch)
    const state = stateAfter(row, 'publish')
    const notifies = await readNotified(scope, tx, id)
    if (row.version > 0 && !row.unpublished_changes) return withNotified(present(scope, row), notifies)
    const { definition } = row
    const change = { now: scope.clock.now(), by: callerId(scope.principal) }
    refuse([
      ...(await publishIssues(definition)),
      ...closingIssues(row, change.now),
      ...(await privacyIssues(scope, tx, row, definition)),
    ])
    const version = row.version + 1
    await store.insertVersion(tx, id, {
      id: newId('survey'),
      version,
      definition,
      published_at: change.now,
      published_by: change.by,
    })
    const frozenTypes = {
      ...row.frozen_types,
      ...Object.fromEntries(definition.questions.map((question) => [question.id, question.type])),
    }
    await store.updatePublished(tx, id, { state, version, frozenTypes }, change)
    if (definition.quotas.length > 0)
      await quotas.insertCounters(
        tx,
        id,
        definition.quotas.map((quota) => quota.id),
      )
    return withNotified(await recorded(scope, tx, 'publish', id, present(scope, row)), notifies)
  })
}

/**
 * Pauses, resumes, closes, archives, or takes out of the archive.
 * @throws Problem 409 naming the allowed states, 422 for resuming past `closes_at`.
 */
export async function moveSurvey(
  scope: Scope,
  id: Id<'survey'>,
  step: Exclude<Transition, 'publish'>,
  ifMatch: string | undefined,
): Promise<PresentedSurvey> {
  return scope.tx(async (tx) => {
    const row = await lock(tx, id, ifMatch)
    const [state, now] = [stateAfter(row, step), scope.clock.now()]
    if (step === 'resume') refuse(closingIssues(row, now))
    await store.updateState(tx, id, state, { now, by: callerId(scope.principal) })
    const moved = await recorded(scope, tx, step, id, present(scope, row))
    return step === 'resume' ? withNotified(moved, await readNotified(scope, tx, id)) : moved
  })
}

/** Checks whether the draft can be published. */
export async function validateSurvey(
  scope: Scope,
  id: Id<'survey'>,
  include?: 'notifies',
): Promise<z.input<typeof Validation>> {
  const { row, kept, notifies } = await scope.tx(async (tx) => {
    const found = await store.findSurvey(tx, id)
    if (!found) throw notFound('survey')
    const kept = await privacyIssues(scope, tx, found, found.definition)
    return { row: found, kept, notifies: include ? await readNotified(scope, tx, id) : undefined }
  })
  const issues = [...(await publishIssues(row.definition)), ...closingIssues(row, scope.clock.now()), ...kept]
  return { valid: issues.length === 0, issues, ...(notifies && { notifies }) }
}

function withNotified({ survey, revision }: PresentedSurvey, notifies: Notified) {
  return { survey: { ...survey, notifies }, revision }
}

function stateAfter(row: store.SurveyRow, step: Transition) {
  const state = afterTransition(row.state, step)
  if (state) return state
  const { from, done } = TRANSITIONS[step]
  const states = listFormat('en', { type: 'disjunction' }).format(from)
  throw conflict('invalid_state', `This survey is ${row.state}. Only a ${states} survey can be ${done}.`)
}

async function publishIssues(definition: SurveyDefinition): Promise<Issue[]> {
  const reachable = definition.questions.some(
    (question) =>
      question.type === 'contact' && contactFieldsOf(question).some((field) => field === 'email' || field === 'phone'),
  )
  const contactless = definition.dedupe === 'contact' && !reachable
  return [
    ...(await runInSlices(publishChecks(definition))),
    ...(contactless
      ? [{ path: 'dedupe', message: 'Add a contact question with an email or phone field, or choose another dedupe.' }]
      : []),
  ]
}
