import type { ReadTx } from '../../../platform/database/database.ts'
import type { Person, PersonalData, PersonalStore } from '../../../platform/personal.ts'
import { listLeadIdsOf } from '../leads/leads.service.ts'
import * as store from './batches.store.ts'

/** Values of rows that a batch can still give back, and those that it gave. */
const keptValues: PersonalStore = {
  store: 'responses',
  table: 'batch_rows',
  columns: ['kept', 'batches.words'],
  find: async (_scope, tx, person) => ({ keys: await findRows(tx, person) }),
  erase: (_scope, tx, keys) => store.forgetRows(tx, keys),
  // The rows themselves are exported.
  export: async () => [],
}

export const personal: PersonalData = { stores: [keptValues] }

async function findRows(tx: ReadTx, person: Person): Promise<string[]> {
  const { responseIds, mentionedIn, personIds } = person
  return store.listKept(tx, [...responseIds, ...mentionedIn, ...personIds, ...(await listLeadIdsOf(tx, person))])
}
