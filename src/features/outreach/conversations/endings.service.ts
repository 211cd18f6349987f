import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import {
  batchOf,
  deleteOldRows,
  listOldestRows,
  removeByAge,
  removeOldRows,
  type AgeRange,
} from '../../../platform/work/retention.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { lockResponse, saveResponse } from '../../answers/responses/recording.service.ts'
import { NO_AUDIENCE } from '../../answers/responses/completion.service.ts'
import { NUMBER_REMOVED } from '../inbound-numbers/inbound-numbers.service.ts'
import * as store from './conversations.store.ts'

const BATCH = 500

/** Ends an unfinished conversation. Its answers stay as a partial response. */
export async function endUnfinished(
  scope: Scope,
  tx: TenantTx,
  row: store.ConversationRow,
  reason: store.EndReason,
): Promise<store.ConversationRow> {
  const isGone = row.response_id !== null && !(await leavePartial(scope, tx, row.response_id))
  const ended = over(isGone ? { ...row, response_id: null } : row, reason, scope.clock.now())
  await tx.prepared(store.updateConversation(tx, ended))
  return ended
}

/** All of a person's open conversations by SMS. */
export async function endConversationsOfPerson(
  scope: Scope,
  tx: TenantTx,
  addressHash: string,
  reason: store.EndReason,
): Promise<void> {
  for (const row of await store.lockOpenOfPerson(tx, addressHash)) await endUnfinished(scope, tx, row, reason)
}

/** Ends the conversations of a number that its workspace gave up. */
export const onNumberRemoved: Listener = listenTo(NUMBER_REMOVED, async (scope, tx) => ({
  async handle(number) {
    for (;;) {
      const rows = await store.lockOpenOfNumber(tx, number, BATCH)
      for (const row of rows) await endUnfinished(scope, tx, row, 'number_removed')
      if (rows.length < BATCH) return
    }
  },
}))

/** Removes old conversations that no response keeps, and turns that belong to none. Returns the number of both. */
export async function removeOldConversations(system: SystemScope, options: SweepOptions): Promise<number> {
  const { sendsDays } = system.settings.retention
  if (sendsDays === null) return 0
  const oldest = await listOldestRows(system, 'conversations')
  const daysOf = () => sendsDays
  const conversations = await removeByAge(system, options, {
    oldest,
    daysOf,
    removeBatch: async (scope, range) => batchOf(await scope.tx((tx) => deleteOld(tx, range)), range.limit),
  })
  await removeByAge(system, options, {
    oldest,
    daysOf,
    removeBatch: async (scope, range) => batchOf(await scope.tx((tx) => fadeOld(tx, range)), range.limit, 0),
  })
  const turns = { table: 'conversation_turns', agedBy: 'received_at', days: sendsDays, only: store.OF_NONE }
  return conversations + (await removeOldRows(system, options, turns))
}

async function deleteOld(tx: TenantTx, range: AgeRange): Promise<string[]> {
  const ids = await deleteOldRows(tx, { table: 'conversations', agedBy: 'ended_at', only: store.UNKEPT }, range)
  await store.deleteTurnsOf(tx, ids)
  return ids
}

async function fadeOld(tx: TenantTx, range: AgeRange): Promise<string[]> {
  const ids = await store.fadeOld(tx, range)
  await store.clearReplies(tx, ids)
  return ids
}

/** The row of an ended conversation, without the person's address. */
export function over(row: store.ConversationRow, reason: store.EndReason, now: Date): store.ConversationRow {
  return {
    ...row,
    asked: null,
    part: null,
    sealed: null,
    next_action_at: null,
    updated_at: now,
    ended_at: now,
    ended_reason: reason,
  }
}

// A respondent without answers stays `started` while they can still continue. False: the response is gone.
async function leavePartial(scope: Scope, tx: TenantTx, id: Id<'response'>): Promise<boolean> {
  const response = await lockResponse(tx, id)
  if (!response || response.state === 'deleted') return false
  if (response.state !== 'started') return true
  const partial = { ...response, state: 'partial' as const, updated_at: scope.clock.now() }
  await saveResponse(scope, tx, partial, response, NO_AUDIENCE)
  return true
}
