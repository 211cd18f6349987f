import type { ReadTx } from '../../../platform/database/database.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Piece } from '../reporting/finding/pieces.ts'
import type { ResponseRow } from '../rows/response.entity.ts'
import * as store from './responses.store.ts'

/** Completed responses of a time that pass a filter. No survey means every survey. */
interface Matching {
  filter: Filter
  surveyIds: Id<'survey'>[]
  since: Date
  until: Date
}

/** The newest ones. */
export async function listMatching(
  scope: Scope,
  tx: ReadTx,
  { limit, ...matching }: Matching & { limit: number },
): Promise<ResponseRow[]> {
  return store.listMatching(tx, await conditionOf(scope, tx, matching), limit)
}

export async function countMatching(scope: Scope, tx: ReadTx, matching: Matching): Promise<number> {
  return store.countMatching(tx, await conditionOf(scope, tx, matching))
}

/** Which of these responses pass a filter. */
export async function listPassing(
  scope: Scope,
  tx: ReadTx,
  ids: Id<'response'>[],
  filter: Filter,
): Promise<ResponseRow[]> {
  const condition = await compileFilter('responses', filter, { tx, alias: 'r', now: scope.clock.now() })
  return store.listPassing(tx, ids, condition)
}

/** Selects the ids of the completed responses in these pieces of the past that pass a filter. */
export async function selectPassing(scope: Scope, tx: ReadTx, pieces: Piece[], filter: Filter) {
  const condition = await compileFilter('responses', filter, { tx, alias: 'r', now: scope.clock.now() })
  return store.selectPassing(tx, pieces, condition)
}

async function conditionOf(scope: Scope, tx: ReadTx, { filter, surveyIds, since, until }: Matching) {
  const condition = await compileFilter('responses', filter, { tx, alias: 'r', now: scope.clock.now() })
  return { condition, surveyIds, since, until }
}
