import { formatId } from '../platform/ids.ts'
import type { ReadTx } from '../platform/database.ts'
import { responsesOf, type Mentions, type Person, type PersonalData } from '../platform/personal.ts'
import * as store from './idempotency.store.ts'

const PAGE = 500

/** Answers that are kept in case a caller repeats a request. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'idempotency_keys',
      table: 'idempotency_keys',
      columns: ['body'],
      find: async (_scope, tx, person, mentions) => ({ keys: await findAnswers(tx, person, mentions) }),
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

async function findAnswers(tx: ReadTx, person: Person, mentions: Mentions): Promise<string[]> {
  const traces = tracesOf(person)
  const found: string[] = []
  for (let after: store.IdempotencyKey | null = null; ;) {
    const rows: store.Candidate[] = await store.listCandidates(tx, traces, after, PAGE)
    for (const { principal, route, key, body, namesOne } of rows) {
      // Without the escapes of JSON, as a line break before an address would become its first letter.
      if (namesOne || (body !== null && (await mentions([body.replace(/\\(?:u.{4}|.)/g, ' ')]))))
        found.push(JSON.stringify({ principal, route, key }))
    }
    if (rows.length < PAGE) return found
    after = rows.at(-1) ?? null
  }
}

// Each spelling of an address has the longest part of its name, and each of a number its last digits.
function tracesOf(person: Person): store.Traces {
  const known = person.addresses.flatMap(({ kind, address }) => (address === null ? [] : [{ kind, address }]))
  return {
    words: known.filter(({ kind }) => kind === 'email').map(({ address }) => longestPart(address)),
    numbers: known
      .filter(({ kind }) => kind === 'phone')
      .map(({ address }) => address.slice(-7).replace(/(?<=.)(?=.)/g, '[^0-9]*')),
    ids: [
      ...responsesOf(person).map((id) => formatId('response', id)),
      ...(person.personIds ?? []).map((id) => formatId('person', id)),
    ],
  }
}

function longestPart(email: string): string {
  const parts = email.slice(0, email.lastIndexOf('@')).split('.')
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest))
}
