import type { TenantTx } from '../../../../platform/database/database.ts'
import * as store from '../verbatim.store.ts'
import type { VerbatimKey } from '../verbatim-rows.ts'
import { searchWords } from './words.ts'

/** Puts the words of one text into the index anew, in their basic form in another language. */
export async function reindexText(tx: TenantTx, key: VerbatimKey, text: string, language: string): Promise<void> {
  await store.deleteWordsOf(tx, key)
  await store.insertWords(
    tx,
    searchWords(text, language).map((word) => ({ ...key, word })),
  )
}
