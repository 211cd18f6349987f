import { startSlices } from '../../../../platform/loop/turns.ts'
import { formatId } from '../../../../platform/ids.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import {
  namesOf,
  type Mentions,
  type Person,
  type PersonalStore,
  withoutEscapes,
} from '../../../../platform/personal.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { openReceived } from './received.ts'
import * as store from './receivers.store.ts'

const PAGE = 20

/** Requests in test receivers: copies of what was sent. */
export const receivedRequests: PersonalStore = {
  store: 'deliveries',
  table: 'test_receiver_requests',
  columns: ['sealed'],
  find: async (scope, tx, person, { mentions }) => ({ keys: await findRequests(scope, tx, person, mentions) }),
  erase: (_scope, tx, keys) => store.deleteRequests(tx, keys),
  async export(scope, tx, keys, person) {
    const isTheirs = namesOf({ ...person, mentionedIn: [] })
    return (await store.listRequestsById(tx, keys)).flatMap((row) => {
      const { body } = openReceived(scope.secrets, row)
      if (!isTheirs(body)) return []
      return [{ id: formatId('delivery', row.delivery_id), at: row.at.toISOString(), body }]
    })
  },
}

// A request is sealed, so each is opened. A workspace has at most 100.
async function findRequests(scope: Scope, tx: ReadTx, person: Person, mentions: Mentions): Promise<string[]> {
  const names = namesOf(person)
  const found: string[] = []
  const slices = startSlices()
  for (let after: string | null = null; ;) {
    const rows: store.RequestRow[] = await store.listAllRequests(tx, after, PAGE)
    for (const row of rows) {
      if (slices.isOver()) await slices.next()
      const { body } = openReceived(scope.secrets, row)
      if (names(body) || (await mentions([withoutEscapes(body)]))) found.push(row.id)
    }
    if (rows.length < PAGE) return found
    after = rows.at(-1)?.id ?? null
  }
}
