import { formatId, type Id } from '../../../platform/ids.ts'
import { hashesOf, type PersonAddress, type PersonalData } from '../../../platform/personal.ts'
import { openContact } from './contact.ts'
import * as store from './people.store.ts'

/** Records of people. They lead from an address to the other addresses, to messages and to responses. */
export const personal: PersonalData = {
  findPerson: store.findByExternalId,
  stores: [
    {
      store: 'people',
      table: 'people',
      columns: ['external_id', 'sealed', 'attributes', 'email_hash', 'phone_hash', 'language'],
      async find(scope, tx, person) {
        const hashes = hashesOf(person)
        const named = await store.listByKeys(tx, { externalIds: [], emailHashes: hashes, phoneHashes: hashes })
        const known = await store.listByIds(tx, person.personIds ?? [])
        const rows = [...new Map([...named, ...known].map((row) => [row.id, row])).values()]
        return {
          keys: rows.map(({ id }) => id),
          personIds: rows.map(({ id }) => id),
          addresses: rows.flatMap((row): PersonAddress[] => {
            const { email, phone } = openContact(scope.secrets, row)
            const { email_hash, phone_hash } = row
            return [
              ...(email_hash ? [{ kind: 'email' as const, hash: email_hash, address: email }] : []),
              ...(phone_hash ? [{ kind: 'phone' as const, hash: phone_hash, address: phone }] : []),
            ]
          }),
        }
      },
      erase: (_scope, tx, keys) => store.deletePeople(tx, keys),
      export: async (scope, tx, keys) =>
        (await store.listByIds(tx, keys)).map((row) => ({
          id: formatId('person', row.id as Id<'person'>),
          external_id: row.external_id,
          ...openContact(scope.secrets, row),
          language: row.language,
          timezone: row.timezone,
          attributes: row.attributes,
          created_at: row.created_at.toISOString(),
          last_invited_at: row.last_invited_at?.toISOString(),
          last_responded_at: row.last_responded_at?.toISOString(),
          last_score: row.last_score,
        })),
    },
  ],
}
