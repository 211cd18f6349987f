import type { TenantTx } from '../../../platform/database.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { StoredText } from '../../../survey-engine/logic/stored-answers.ts'
import * as store from './verbatim.store.ts'

interface Marked {
  id: Id<'response'>
  text: StoredText[]
}

/** Asks for a classification of the texts of a completed response, with COMMIT. Without words it costs no statement. */
export function markTexts(scope: Scope, tx: TenantTx, { id, text }: Marked): void {
  if (!text.some(({ value }) => typeof value === 'string')) return
  store.insertWaiting(tx, [{ id: newId('event'), response_id: id }], scope.clock.now())
}

/** Forgets what is known of the texts of responses that are gone or erased. */
export async function forgetTexts(tx: TenantTx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await store.deleteWords(tx, ids)
  await store.deleteTopics(tx, ids)
  await store.deleteAllTexts(tx, ids)
}
