import type { ReadTx } from '../../platform/database/database.ts'
import {
  namesOf,
  scanIds,
  type Looking,
  type Person,
  type PersonalData,
  ANSWERS_GONE,
} from '../../platform/personal.ts'
import { textsOfAnswer } from './masked-answer.ts'
import * as store from './idempotency.store.ts'

const PAGE = 500
const LONGEST_REQUEST_MS = 600_000

/** Answers that are kept in case a caller repeats a request. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'idempotency_keys',
      table: 'idempotency_keys',
      columns: ['body'],
      awaitLate: (tx, now) => store.awaitAnswers(tx, new Date(now.getTime() - LONGEST_REQUEST_MS)),
      find: async (_scope, tx, person, looking) => ({ keys: await findAnswers(tx, person, looking) }),
      async erase(scope, tx, keys) {
        const erased: string[] = []
        for (const key of keys) {
          const row = await store.eraseAnswer(tx, JSON.parse(key) as store.IdempotencyKey, scope.clock.now())
          if (row) erased.push(row.id)
        }
        if (erased.length > 0) await scope.signals.emit(ANSWERS_GONE, scope, tx, erased)
        return erased.length
      },
      // An answer may hold rows of others too, so the person reads only the texts that mention them.
      async export(_scope, tx, keys, _person, mentions) {
        const records = []
        for (const key of keys) {
          const row = await store.findAnswer(tx, JSON.parse(key) as store.IdempotencyKey)
          if (!row) continue
          const found: string[] = []
          const { texts } = await textsOfAnswer(row.body ?? '')
          for (const text of texts) if (await mentions([text])) found.push(text)
          records.push({ route: row.route, created_at: row.created_at.toISOString(), mentions: found })
        }
        return records
      },
    },
  ],
}

async function findAnswers(tx: ReadTx, person: Person, { mentions, typedIn, scan }: Looking): Promise<string[]> {
  const names = namesOf(person)
  const found: string[] = []
  for await (const { body, ...key } of answersIn(tx, scanIds(scan, 'answers', await typedIn('idempotency_keys'), PAGE)))
    // Without the escapes of JSON, as a line break before an address would become its first letter.
    if (names(body) || (await mentions([body.replace(/\\(?:u.{4}|.)/g, ' ')]))) found.push(JSON.stringify(key))
  return found
}

async function* answersIn(tx: ReadTx, parts: AsyncIterable<string[]>): AsyncGenerator<store.Answer> {
  for await (const ids of parts) yield* await store.listAnswers(tx, ids)
}
