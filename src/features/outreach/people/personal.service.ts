import { formatId } from '../../../platform/ids.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import {
  hashesOf,
  rowOf,
  splitKeys,
  wordsKey,
  type Looking,
  type PersonAddress,
  type PersonalData,
} from '../../../platform/personal.ts'
import { mayBeAddress, openContact } from './contact.ts'
import { removePeople } from './names.service.ts'
import * as store from './people.store.ts'
import { people } from './person.entity.ts'

// Each may have 100,000 characters of attributes.
const PAGE = 50

/** Records of people. They lead from an address to the other addresses, to messages and to responses. */
export const personal: PersonalData = {
  findPerson: store.findByExternalId,
  stores: [
    {
      store: 'people',
      table: 'people',
      columns: [...people.personal, 'people_names.word_hash'],
      async find(scope, tx, person, looking) {
        const hashes = hashesOf(person)
        const named = await store.listByKeys(tx, { externalIds: [], emailHashes: hashes, phoneHashes: hashes })
        const naming = await findNaming(tx, looking)
        const known = await store.listByIds(tx, [...person.personIds, ...naming.ids])
        const rows = [...new Map([...named, ...known].map((row) => [row.id, row])).values()]
        const own = new Set<string>(rows.map(({ id }) => id))
        return {
          keys: [...rows.map(({ id }) => id), ...naming.words.filter((key) => !own.has(rowOf(key)))],
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
      async erase(scope, tx, keys) {
        const { whole, words } = splitKeys(keys)
        let erased = await removePeople(tx, whole)
        for (const { id, attributes } of await store.lockAttributes(tx, [...words.keys()])) {
          const isErased = words.get(id) ?? (() => false)
          const left = Object.entries(attributes).filter(([, value]) => !isErased(String(value)))
          if (left.length === Object.keys(attributes).length) continue
          erased += await store.saveAttributes(tx, id, Object.fromEntries(left), scope.clock.now())
        }
        return erased
      },
      async export(scope, tx, keys) {
        const { whole, words } = splitKeys(keys)
        const own = (await store.listByIds(tx, whole)).map((row) => ({
          ...people.archive(row),
          ...openContact(scope.secrets, row),
        }))
        const naming = (await store.listByIds(tx, [...words.keys()])).map(({ id, attributes }) => ({
          id: formatId('person', id),
          mentions: Object.values(attributes)
            .map(String)
            .filter((value) => words.get(id)?.(value)),
        }))
        return [...own, ...naming]
      },
    },
  ],
}

/** Records whose external id is an address of the person, and attributes of others that name them. */
async function findNaming(tx: ReadTx, { mentions, scan }: Looking): Promise<{ ids: string[]; words: string[] }> {
  const found: Awaited<ReturnType<typeof findNaming>> = { ids: [], words: [] }
  const page = (after: string | null) => store.listWithContacts(tx, after, PAGE)
  for await (const { id, external_id, attributes } of scan('people', { page, size: PAGE, idOf: (row) => row.id })) {
    if (external_id !== null && mayBeAddress(external_id) && (await mentions([external_id]))) found.ids.push(id)
    for (const value of Object.values(attributes).map(String))
      if (await mentions([value])) found.words.push(wordsKey(id, value))
  }
  return found
}
