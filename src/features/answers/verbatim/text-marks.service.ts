import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import * as store from './verbatim.store.ts'

/** The topics and sentiments of the texts of each response, together. A response without a text is absent. */
export async function readMarks(
  tx: ReadTx,
  ids: Id<'response'>[],
): Promise<Map<Id<'response'>, Pick<store.TextMarks, 'topics' | 'sentiments'>>> {
  return new Map((await store.listMarks(tx, ids)).map((row) => [row.response_id, row]))
}
