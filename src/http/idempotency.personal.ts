import { formatId } from '../platform/ids.ts'
import { responsesOf, type Person, type PersonalData } from '../platform/personal.ts'
import * as store from './idempotency.store.ts'

/** Answers that are kept in case a caller repeats a request. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'idempotency_keys',
      table: 'idempotency_keys',
      columns: ['body'],
      find: async (_scope, tx, person) => ({
        keys: (await store.listKeysWith(tx, tracesOf(person), digitsOf(person))).map((key) => JSON.stringify(key)),
      }),
      async erase(scope, tx, keys) {
        let erased = 0
        for (const key of keys)
          erased += await store.eraseAnswer(tx, JSON.parse(key) as store.IdempotencyKey, scope.clock.now())
        return erased
      },
      async export(_scope, tx, keys) {
        const answers = await Promise.all(
          keys.map((key) => store.findAnswer(tx, JSON.parse(key) as store.IdempotencyKey)),
        )
        return answers.flatMap((row) =>
          row ? [{ route: row.route, created_at: row.created_at.toISOString(), answer: row.body }] : [],
        )
      },
    },
  ],
}

function tracesOf(person: Person): string[] {
  const emails = person.addresses.flatMap(({ kind, address }) =>
    kind === 'email' && address !== null ? [address] : [],
  )
  return [...emails, ...responsesOf(person).map((id) => formatId('response', id))]
}

function digitsOf(person: Person): string[] {
  return person.addresses.flatMap(({ kind, address }) =>
    kind === 'phone' && address !== null ? [address.slice(1)] : [],
  )
}
