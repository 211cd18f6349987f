import type { ReadTx } from '../../../platform/database/database.ts'
import type { Found, Mentions, Person, PersonAddress, PersonalStore, TypedIn } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listMentions, mentions } from './contacts.service.ts'
import { keyOf, type Counts } from './plan.ts'

// Each round follows what the last one found: an address, its sends, their responses, the next address.
const MOST_ROUNDS = 8

export interface Search {
  person: Person
  /** By `keyOf` a store. */
  found: Record<string, string[]>
  counts: Counts
}

/** Finds the rows that hold a person, in all stores and at one moment. */
export async function searchPerson(scope: Scope, stores: PersonalStore[], start: Person): Promise<Search> {
  return scope.read(
    async (tx) => {
      let person = start
      for (let round = 1; ; round++) {
        const results = await findAll(scope, tx, stores, person)
        const grown = results.reduce((known, { found }) => extend(known, found), person)
        if (sizeOf(grown) === sizeOf(person) || round === MOST_ROUNDS) {
          return {
            person: grown,
            found: Object.fromEntries(
              results.filter(({ found }) => found.keys.length > 0).map(({ part, found }) => [keyOf(part), found.keys]),
            ),
            counts: countsOf(results),
          }
        }
        person = grown
      }
    },
    { snapshot: true },
  )
}

interface Result {
  part: PersonalStore
  found: Found
}

function countsOf(results: Result[]): Counts {
  const counts: Counts = {}
  for (const { part, found } of results)
    counts[part.store] = (counts[part.store] ?? 0) + found.keys.length - (found.uncounted ?? 0)
  return counts
}

async function findAll(scope: Scope, tx: ReadTx, stores: PersonalStore[], person: Person): Promise<Result[]> {
  const results: Result[] = []
  const mentionsPerson: Mentions = (texts) => mentions(person, texts)
  const typedIn: TypedIn = (place) => listMentions(scope, tx, place, person)
  for (const part of stores) results.push({ part, found: await part.find(scope, tx, person, mentionsPerson, typedIn) })
  return results
}

function extend(person: Person, found: Found): Person {
  return {
    addresses: withAddresses(person.addresses, found.addresses),
    responseIds: withMore(person.responseIds, found.responseIds),
    mentionedIn: withMore(person.mentionedIn, found.mentionedIn),
    personIds: withMore(person.personIds, found.personIds),
  }
}

function withAddresses(known: PersonAddress[], more: PersonAddress[] = []): PersonAddress[] {
  const addresses = new Map(known.map((address) => [address.hash, address]))
  for (const address of more) if (!addresses.get(address.hash)?.address) addresses.set(address.hash, address)
  return [...addresses.values()]
}

// Lists may be long, and most stores add nothing.
function withMore<Item>(known: Item[], more: Item[] = []): Item[] {
  return more.length === 0 ? known : [...new Set([...known, ...more])]
}

function sizeOf({ addresses, responseIds, mentionedIn, personIds }: Person): number {
  return (
    addresses.length +
    addresses.filter(({ address }) => address !== null).length +
    responseIds.length +
    mentionedIn.length +
    personIds.length
  )
}
