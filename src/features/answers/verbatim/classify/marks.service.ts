import type { TenantTx } from '../../../../platform/database/database.ts'
import { newId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { listenTo, type Listener } from '../../../../platform/work/listeners.ts'
import { SWEEPS } from '../../../../platform/work/sweeps.ts'
import { REMOVED, TEXTS_WRITTEN } from '../../responses/completion.service.ts'
import * as store from '../verbatim.store.ts'

export const onWritten: Listener = listenTo(TEXTS_WRITTEN, async (scope, tx) => ({
  async handle({ id, isChange }) {
    if (isChange) await forgetTexts(tx, [id])
    markTexts(scope, tx, id)
  },
}))

export const onRemoved: Listener = listenTo(REMOVED, async (_scope, tx) => ({ handle: (ids) => forgetTexts(tx, ids) }))

/**
 * Asks for the texts of a response to be indexed, and classified if it is completed. With COMMIT, and done within a
 * second.
 */
export function markTexts(scope: Scope, tx: TenantTx, id: Id<'response'>): void {
  store.insertWaiting(tx, [{ id: newId('event'), response_id: id }], scope.clock.now())
  scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
}

/** Forgets what is known of the texts of responses that are gone or erased. */
export async function forgetTexts(tx: TenantTx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await store.deleteWords(tx, ids)
  await store.deleteTopics(tx, ids)
  await store.deleteAllTexts(tx, ids)
}
