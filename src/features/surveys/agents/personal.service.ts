import type { ReadTx } from '../../../platform/database/database.ts'
import {
  rowOf,
  splitKeys,
  wordsKey,
  type Looking,
  type Mentions,
  type PersonalData,
} from '../../../platform/personal.ts'
import * as store from './agents.store.ts'

const PAGE = 500
const FIELDS = ['external_id', 'name', 'team', 'email'] as const

/** Agents are staff. An external id that a respondent typed may still be a person's address. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'people',
      table: 'agents',
      columns: [...FIELDS],
      async find(_scope, tx, { addresses }, looking) {
        const known = addresses.flatMap(({ address }) => (address === null ? [] : [address.toLowerCase()]))
        const own = await store.listOfPerson(tx, known)
        return { keys: [...own, ...(await findNaming(tx, new Set(own), looking))] }
      },
      async erase(_scope, tx, keys) {
        const { whole, words } = splitKeys(keys)
        let erased = await store.eraseAgents(tx, whole)
        for (const row of await store.lockAgents(tx, [...words.keys()])) {
          const isErased = words.get(row.id) ?? (() => false)
          if (!FIELDS.some((field) => isErased(row[field]))) continue
          const [external_id, name, team, email] = FIELDS.map((field) => (isErased(row[field]) ? null : row[field]))
          erased += await store.keepWords(tx, row.id, { external_id, name: name ?? store.ERASED, team, email })
        }
        return erased
      },
      async export(_scope, tx, keys, _person, mentions) {
        const whole = new Set(splitKeys(keys).whole)
        const records = []
        for (const row of await store.listExisting(tx, keys.map(rowOf) as Parameters<typeof store.listExisting>[1])) {
          const { external_id, name, team, email } = row
          if (whole.has(row.id)) records.push({ external_id, name, team, email })
          else for (const text of await naming(row, mentions)) records.push({ mentions: text })
        }
        return records
      },
    },
  ],
}

async function findNaming(tx: ReadTx, own: Set<string>, { mentions, scan }: Looking): Promise<string[]> {
  const found: string[] = []
  const page = (after: string | null) => store.listInOrder(tx, after, PAGE)
  for await (const row of scan('agents', { page, size: PAGE, idOf: ({ id }) => id }))
    if (!own.has(row.id)) for (const text of await naming(row, mentions)) found.push(wordsKey(row.id, text))
  return found
}

async function naming(row: store.AgentRow, mentions: Mentions): Promise<string[]> {
  const found: string[] = []
  for (const field of FIELDS) {
    const text = row[field]
    // The digits of an id may be those of a phone number by chance.
    const isAddress = field !== 'external_id' || /[@＠+]/.test(text ?? '')
    if (text !== null && isAddress && (await mentions([text]))) found.push(text)
  }
  return found
}
