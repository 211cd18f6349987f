import { isDeepStrictEqual } from 'node:util'
import { conflict, type Problem } from '../../../http/problems/problem.ts'
import type { ChangeType } from '../../../platform/topics.ts'
import { recordChanged } from '../../../platform/changes/changes.ts'
import { isUniqueViolation, type ReadTx, type TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { recountQuotas } from '../../surveys/surveys/quotas.service.ts'
import { indexContacts } from '../../trust/data-protection/contacts.service.ts'
import { markRecorded } from '../reporting/rollups/rollups.service.ts'
import { readAudience, type Audience } from './completion.service.ts'
import { emitTexts, stageChange, stageCompleted } from './response-events.service.ts'
import type { ResponseRow } from '../rows/response.entity.ts'
import { recordedAt } from '../rows/response-row.ts'
import * as store from './responses.store.ts'
import type { CustomData } from '../../../survey-engine/model/definition.ts'
import type { StoredText } from '../../../survey-engine/logic/stored-answers.ts'

// Other features run these statements as they are.
export { lockResponse, lockFoundResponse, hasFinished } from './responses.store.ts'

// Stores respondents' answers. The actions of members on a response are in responses.service.ts.

/**
 * Stores a new response with the COMMIT of its capture, and sends its event if it is completed. The transaction throws
 * Problem 409 for a repeat.
 */
export async function addResponse(scope: Scope, tx: TenantTx, row: ResponseRow, audience: Audience): Promise<void> {
  store.insertResponse(tx, row, repeatOf)
  noteChange(scope, tx, 'created', row)
  await indexTyped(scope, tx, row)
  markRecorded(tx, row.survey_id, [recordedAt(row)])
  if (row.state === 'completed') await stageCompleted(scope, tx, row, audience)
  else if (row.text.length > 0 && !row.anonymity) await emitTexts(scope, tx, row)
}

/** Stores changes of an unfinished, locked response with COMMIT, which throws Problem 409 for a repeat. */
export async function saveResponse(
  scope: Scope,
  tx: TenantTx,
  row: ResponseRow,
  before: ResponseRow,
  audience: Audience,
): Promise<void> {
  store.updateResponse(tx, row, repeatOf)
  noteChange(scope, tx, 'updated', row)
  await indexTyped(scope, tx, row)
  // Until it was finished it counted at its start time.
  markRecorded(tx, row.survey_id, [row.started_at, recordedAt(row)])
  if (row.state === 'completed') await stageCompleted(scope, tx, row, audience)
  else if (!row.anonymity && !isDeepStrictEqual(row.text, before.text)) await emitTexts(scope, tx, row)
}

/**
 * Stores what a respondent changed in a completed response, which stays in its place in time. Webhooks hear
 * `response.updated`, unless the response is quarantined.
 */
export async function saveRevision(scope: Scope, tx: TenantTx, row: ResponseRow, before: ResponseRow): Promise<void> {
  store.updateResponse(tx, row, repeatOf)
  noteChange(scope, tx, 'updated', row)
  await indexTyped(scope, tx, row)
  markRecorded(tx, row.survey_id, [recordedAt(row)])
  if (!isDeepStrictEqual(row.quotas, before.quotas) && row.state === 'completed') {
    await recountQuotas(tx, row.survey_id, before.quotas, -1)
    await recountQuotas(tx, row.survey_id, row.quotas, 1)
  }
  if (!isDeepStrictEqual(row.text, before.text)) await emitTexts(scope, tx, row, { isChange: true })
  if (row.state !== 'completed') return
  await stageChange(scope, tx, 'response.updated', row)
  await (await readAudience(scope, tx)).listeners.handle(row)
}

// No stream names one response to an anonymous survey.
function noteChange(scope: Scope, tx: TenantTx, type: ChangeType, row: ResponseRow): void {
  if (!row.anonymity) recordChanged(scope, tx, 'responses', type, 'response', [row.id], row.survey_id)
}

/** @throws Problem 409 if a respondent with this key has answered the survey. */
export async function refuseRepeat(tx: ReadTx, surveyId: Id<'survey'>, dedupeKey: string): Promise<void> {
  if (await store.hasFinished(tx, surveyId, dedupeKey)) throw alreadyAnswered()
}

/** Finds the addresses and numbers in what a response holds, so that an erasure finds the response. */
export function indexTyped(scope: Scope, tx: TenantTx, row: ResponseRow): Promise<void> {
  return indexContacts(scope, tx, 'responses', { id: row.id, texts: textsOf(row) })
}

function repeatOf(error: unknown): unknown {
  return isUniqueViolation(error) ? alreadyAnswered() : error
}

export function alreadyAnswered(): Problem {
  return conflict(
    'already_answered',
    'This survey takes one response from each respondent, and it already has yours. Nothing was stored.',
  )
}

interface Typed {
  text: StoredText[]
  custom_data: CustomData
  notes: Array<{ text: string }>
  tags: string[]
}

/** Everything in a response that somebody typed. */
export function textsOf(row: Typed): string[] {
  return [...respondentTextsOf(row), ...memberTextsOf(row)]
}

/** The words of the respondent, and those that were sent about them. */
export function respondentTextsOf({ text, custom_data }: Pick<Typed, 'text' | 'custom_data'>): string[] {
  return [
    ...text.flatMap(({ value }) => (typeof value === 'string' ? [value] : Object.values(value))),
    ...Object.values(custom_data).map(String),
  ]
}

/** The words of members about a response. */
export function memberTextsOf({ notes, tags }: Pick<Typed, 'notes' | 'tags'>): string[] {
  return [...notes.map((note) => note.text), ...tags]
}
