import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import * as store from './surveys.store.ts'

// Other features run these statements as they are.
export { listPublished as listSurveyIds } from './surveys.store.ts'

/** The names of these surveys. */
export async function surveyNames(tx: ReadTx, ids: Id<'survey'>[]): Promise<Map<Id<'survey'>, string>> {
  if (ids.length === 0) return new Map()
  return new Map((await store.listNames(tx, ids)).map(({ id, name }) => [id, name]))
}

/** The metric and the privacy of each survey that was ever published. */
export async function surveyTraits(tx: ReadTx): Promise<Map<Id<'survey'>, store.Traits>> {
  return new Map((await store.listTraits(tx)).map((row) => [row.id, row]))
}
