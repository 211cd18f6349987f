import { formatId } from '../../../platform/ids.ts'
import { hashesOf, type PersonalData } from '../../../platform/personal.ts'
import { maskedOf } from './skips.service.ts'
import * as store from './skips.store.ts'

/** Recipients who were left out. The others are in the sends. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'invitations',
      table: 'invitation_skips',
      columns: ['sealed', 'address_hash', 'person_id'],
      find: async (_scope, tx, person) => ({
        keys: await store.listKeysOfPerson(tx, { hashes: hashesOf(person), personIds: person.personIds }),
      }),
      erase: (_scope, tx, keys) => store.eraseSkips(tx, keys),
      export: async (scope, tx, keys) =>
        (await store.listByKeys(tx, keys)).map((row) => ({
          invitation_id: formatId('invitation', row.invitation_id),
          address: maskedOf(scope, row),
          reason: row.reason,
          at: row.skipped_at.toISOString(),
        })),
    },
  ],
}
