import type { ReadTx } from '../../../platform/database/database.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import type { Scope } from '../../../platform/scope.ts'
import { presentPeople, type PresentedPerson } from './people-view.service.ts'
import * as store from './people.store.ts'

const SAMPLE = { limit: 10, before: null }

/** How many people a filter chooses, and the newest of them, masked. */
export async function previewPeople(
  scope: Scope,
  tx: ReadTx,
  filter: Filter,
): Promise<{ count: number; sample: PresentedPerson[] }> {
  const condition = await compileFilter('people', filter, { tx, alias: 'p', now: scope.clock.now() })
  const count = await store.countPeople(tx, condition)
  const rows = count > 0 ? await store.listPeople(tx, { filter: condition }, SAMPLE) : []
  return { count, sample: await presentPeople(scope, tx, rows.slice(0, SAMPLE.limit), 'masked') }
}
