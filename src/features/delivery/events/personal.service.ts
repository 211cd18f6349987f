import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { listCopies } from '../../../platform/fields/parts.ts'
import { formatId } from '../../../platform/ids.ts'
import { isOf, keysOfResponses, type Person, type PersonalStore, type Scan } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import * as store from './events.store.ts'

/** The part of what was sent of the events. */
interface Sent {
  /** Events that mention the person, beside those of their responses. */
  listMentioning(scope: Scope, tx: ReadTx, person: Person, scan: Scan): Promise<string[]>
  /** Runs once the contents are erased. */
  erased(tx: TenantTx, ids: string[]): Promise<void>
}

/** Events about a person's responses. */
export function personalEvents(sent: Sent): PersonalStore {
  return {
    store: 'events',
    table: 'events',
    columns: ['data'],
    async find(scope, tx, person, { scan }) {
      const ofResponses = await keysOfResponses({ scan }, 'events', person, (ids) => store.listTelling(tx, ids))
      const mentioning = await store.listStillTelling(tx, await sent.listMentioning(scope, tx, person, scan))
      return { keys: [...new Set([...ofResponses, ...mentioning])] }
    },
    async erase(_scope, tx, keys) {
      const erased = await store.eraseEvents(tx, keys)
      await sent.erased(tx, keys)
      return erased
    },
    export: async (_scope, tx, keys, person) =>
      (await store.listEvents(tx, keys)).filter(isOf(person)).map(({ id, type, data, created_at }) => ({
        id: formatId('event', id),
        type,
        created_at: created_at.toISOString(),
        data: JSON.parse(data) as unknown,
      })),
    listCopies: (_scope, tx, keys) => listCopies(tx, keys),
  }
}
