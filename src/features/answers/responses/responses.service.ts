import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { conflict, notFound, unprocessable } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import { listOldestRows, batchOf, type AgeRange, type Batch, removeByAge } from '../../../platform/work/retention.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { readCustomData } from '../../../survey-engine/logic/custom-data.ts'
import { eraseEventsOfResponses } from '../../delivery/publishing/removal.service.ts'
import { markRecorded } from '../reporting/rollups/rollups.service.ts'
import { readDefinition } from '../../surveys/surveys/published-surveys.service.ts'
import { recountQuotas, requirePlaces } from '../../surveys/surveys/quotas.service.ts'
import { unknownAgent, resolveAgent } from '../../surveys/agents/naming.service.ts'
import { forgetContacts } from '../../trust/data-protection/contacts.service.ts'
import { readAudience, REMOVED } from './completion.service.ts'
import { hasNews, stageChange, stageCompleted, stageReleased, presentResponse } from './response-events.service.ts'
import { indexTyped } from './recording.service.ts'
import { editedNotes, newNote, notesWithout } from '../rows/note.ts'
import type { ResponseRow } from '../rows/response.entity.ts'
import { recordedAt } from '../rows/response-row.ts'
import { MAX_NOTES, MAX_TAGS, type ReleaseResponse, SurveyResponse, type UpdateResponse } from './responses.schema.ts'
import * as store from './responses.store.ts'
import { deleteRecorded } from './responses.store.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { readDays } from '../../access/workspaces/workspaces.service.ts'

// Other features run these statements as they are.
export {
  listCompleted as listCompletedSince,
  listCompletedOf,
  listById as listResponsesById,
  shareById as shareResponses,
} from './responses.store.ts'

export type { ResponseRow }

/** Members can change these, and reports count or filter by them. */
const REPORTED = ['state', 'tags', 'agent_id', 'custom_data'] as const
const audited = auditOf('response', {
  schema: SurveyResponse,
  hides: ['score', 'person_id', 'started_at', 'completed_at', 'duration_ms'],
})
type Presented = z.input<typeof SurveyResponse>

export async function getResponse(scope: Scope, id: Id<'response'>): Promise<Presented> {
  const row = await findResponse(scope, id)
  if (!row || row.anonymity) throw notFound('response')
  return presentResponse(row)
}

/** @returns undefined if there is none. */
export async function findResponse(scope: Scope, id: Id<'response'>): Promise<ResponseRow | undefined> {
  return scope.read((tx) => store.findResponse(tx, id))
}

export async function countCompletedSince(
  scope: Scope,
  range: { surveyId: Id<'survey'>; since: Date; until: Date },
): Promise<number> {
  return scope.read((tx) => store.countCompleted(tx, range))
}

/**
 * Replaces tags and sets fields of the custom data.
 * @throws Problem 409 for a deleted response, 422 for an undeclared field or an unknown agent.
 */
export async function updateResponse(
  scope: Scope,
  id: Id<'response'>,
  input: z.output<typeof UpdateResponse>,
): Promise<Presented> {
  return change(scope, id, 'update', async (tx, row) => {
    const tags = input.tags ? [...new Set(input.tags)] : row.tags
    const custom = readCustomData(await readDefinition(scope, tx, row.survey_id, row.survey_version), {
      ...row.custom_data,
      ...input.custom_data,
    })
    if (custom.issues.length > 0) throw unprocessable('invalid_custom_data', custom.issues)
    const agent_id = input.agent_id === undefined ? row.agent_id : await agentNamed(scope, tx, input.agent_id)
    return { ...row, tags, custom_data: custom.values, agent_id }
  })
}

/** Adds and removes tags, or replaces them, and sets the agent. @throws Problem 409, 422 as above. */
export async function changeResponse(
  scope: Scope,
  id: Id<'response'>,
  { tags, add_tags = [], remove_tags = [], agent_id }: TagsAndAgent,
): Promise<Presented> {
  return change(scope, id, 'update', async (tx, row) => {
    const kept = [...(tags ?? row.tags), ...add_tags].filter((tag) => !remove_tags.includes(tag))
    const changed = {
      ...row,
      tags: withinLimit([...new Set(kept)]),
      agent_id: agent_id === undefined ? row.agent_id : await agentNamed(scope, tx, agent_id),
    }
    return isDeepStrictEqual(changed, row) ? row : changed
  })
}

interface TagsAndAgent {
  tags?: string[] | undefined
  add_tags?: string[] | undefined
  remove_tags?: string[] | undefined
  agent_id?: string | null | undefined
}

function withinLimit(tags: string[]): string[] {
  if (tags.length <= MAX_TAGS) return tags
  throw unprocessable('too_many_tags', [
    { path: 'tags', message: `A response can have at most ${MAX_TAGS} tags. Remove some first.` },
  ])
}

/** Erases the content of a response. The row stays as `deleted`, and its place in quotas is free again. */
export async function deleteResponse(scope: Scope, id: Id<'response'>): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockResponse(tx, id)
    if (!row || row.anonymity) throw notFound('response')
    if (row.state === 'deleted') return
    audited(scope, tx, 'delete', id)
    if (row.state === 'completed') await recountQuotas(tx, row.survey_id, row.quotas, -1)
    await eraseEventsOfResponses(tx, [id])
    await forgetContacts(tx, [id])
    store.updateResponse(tx, {
      ...row,
      state: 'deleted',
      held_state: null,
      answers: [],
      text: [],
      custom_data: {},
      path: [],
      metric: null,
      score: null,
      band: null,
      tags: [],
      notes: [],
      quality_flags: [],
      orders: null,
      dedupe_key: null,
      quotas: [],
      updated_at: scope.clock.now(),
    })
    markRecorded(tx, row.survey_id, [recordedAt(row)])
    await scope.signals.emit(REMOVED, scope, tx, [id])
  })
}

/**
 * Removes one batch of expired responses, and their content from their events. Retention uses only this. Counts of
 * quotas and limits stay, so a full survey does not open again.
 */
export async function removeResponses(scope: Scope, tx: TenantTx, range: AgeRange): Promise<Batch> {
  const removed = await deleteRecorded(tx, range)
  const ids = removed.map((row) => row.id)
  await eraseEventsOfResponses(tx, ids)
  await forgetContacts(tx, ids)
  for (const [surveyId, rows] of Map.groupBy(removed, (row) => row.survey_id)) {
    markRecorded(
      tx,
      surveyId,
      rows.map((row) => row.recorded_at),
    )
  }
  if (ids.length > 0) await scope.signals.emit(REMOVED, scope, tx, ids)
  return batchOf(ids, range.limit)
}

export async function addTags(scope: Scope, id: Id<'response'>, tags: string[]): Promise<Presented> {
  return change(scope, id, 'add_tags', async (_, row) => {
    return { ...row, tags: withinLimit([...new Set([...row.tags, ...tags])]) }
  })
}

export async function addNote(scope: Scope, id: Id<'response'>, text: string): Promise<Presented> {
  return change(scope, id, 'add_note', async (_, row) => {
    if (row.notes.length >= MAX_NOTES)
      throw unprocessable('too_many_notes', [
        { path: 'text', message: `A response can have at most ${MAX_NOTES} notes.` },
      ])
    return {
      ...row,
      notes: [...row.notes, newNote(scope.principal, text, scope.clock.now())],
    }
  })
}

/** @throws Problem 403 `not_author`, 404, 409 for a deleted response. */
export async function editNote(scope: Scope, id: Id<'response'>, noteId: Id<'note'>, text: string): Promise<Presented> {
  const by = { principal: scope.principal, text, now: scope.clock.now() }
  return change(scope, id, 'update_note', async (_, row) => {
    const notes = editedNotes(row.notes, noteId, by)
    return notes === row.notes ? row : { ...row, notes }
  })
}

/** @throws Problem 404, 409 for a deleted response. */
export async function deleteNote(scope: Scope, id: Id<'response'>, noteId: Id<'note'>): Promise<void> {
  await change(scope, id, 'delete_note', async (_, row) => ({ ...row, notes: notesWithout(row.notes, noteId) }))
}

/**
 * Quarantines a response: reports and quotas skip it, and completing it sends no event. Webhooks are notified of it if
 * they were notified of its completion.
 */
export async function quarantineResponse(scope: Scope, id: Id<'response'>): Promise<Presented> {
  return change(scope, id, 'quarantine', async (tx, row) => {
    if (row.state === 'quarantined') return row
    const quarantined = { ...row, state: 'quarantined' as const, held_state: row.state }
    if (row.state === 'completed') {
      await recountQuotas(tx, row.survey_id, row.quotas, -1)
      await stageChange(scope, tx, 'response.quarantined', quarantined)
      await store.markPublished(tx, id)
    }
    return quarantined
  })
}

/**
 * Gives a quarantined response its proper state. A completed one sends `response.completed` if it has not yet, else
 * `response.released`.
 * @throws Problem 409 for a response that is not quarantined, and `quota_full` unless `exceed` is true.
 */
export async function releaseResponse(
  scope: Scope,
  id: Id<'response'>,
  { exceed }: z.output<typeof ReleaseResponse>,
): Promise<Presented> {
  return change(scope, id, 'release', async (tx, row) => {
    if (row.state !== 'quarantined' || !row.held_state)
      throw conflict('invalid_state', `This response is ${row.state}. Only a quarantined response can be released.`)
    const released = { ...row, state: row.held_state, held_state: null }
    if (released.state === 'completed') {
      if (!exceed) await requirePlaces(scope, tx, row.survey_id, row.quotas)
      await recountQuotas(tx, row.survey_id, row.quotas, 1)
      const audience = await readAudience(scope, tx)
      if (await store.isPublished(tx, id)) await stageReleased(scope, tx, released, audience)
      else await stageCompleted(scope, tx, released, audience)
    }
    return released
  })
}

/** Responses of these people no longer lead to them. */
export async function forgetPersonOfResponses(tx: TenantTx, ids: string[]): Promise<void> {
  await store.forgetPerson(tx, ids)
}

async function change(
  scope: Scope,
  id: Id<'response'>,
  verb: string,
  work: (tx: TenantTx, row: ResponseRow) => Promise<ResponseRow>,
): Promise<Presented> {
  return scope.tx(async (tx) => {
    const row = await store.lockResponse(tx, id)
    if (!row || row.anonymity) throw notFound('response')
    if (row.state === 'deleted')
      throw conflict('invalid_state', 'This response was deleted. It cannot be changed any more.')
    if (row.erased_at)
      throw conflict('erased', 'The person of this response was erased. It cannot be changed any more.')
    const worked = await work(tx, row)
    if (worked === row) return presentResponse(row)
    const changed = { ...worked, updated_at: scope.clock.now() }
    store.updateResponse(tx, changed)
    await indexTyped(scope, tx, changed)
    if (row.state === 'completed' && changed.state === 'completed' && hasNews(row, changed))
      await stageChange(scope, tx, 'response.updated', changed)
    if (REPORTED.some((name) => !isDeepStrictEqual(changed[name], row[name])))
      markRecorded(tx, row.survey_id, [recordedAt(row)])
    audited(scope, tx, verb, id, { before: presentResponse(row), after: presentResponse(changed) })
    return presentResponse(changed)
  })
}

async function agentNamed(scope: Scope, tx: TenantTx, name: string | null): Promise<Id<'agent'> | null> {
  const agent = name === null ? 'none' : await resolveAgent(scope, tx, name)
  if (agent === 'unknown') throw unknownAgent('agent_id')
  return agent === 'none' ? null : agent
}

/** Removes responses past the days of the operator or their workspace. Returns the number. */
export async function removeOldResponses(system: SystemScope, options: SweepOptions): Promise<number> {
  const daysOf = await readDays(system, system.settings.retention.responsesDays, 'responses_days')
  const oldest = await listOldestRows(system, 'responses')
  return removeByAge(system, options, {
    action: 'response.expire',
    oldest,
    daysOf,
    removeBatch: (scope, range) => scope.tx((tx) => removeResponses(scope, tx, range)),
  })
}
