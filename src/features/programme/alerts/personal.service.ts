import { formatId } from '../../../platform/ids.ts'
import type { ReadTx } from '../../../platform/database.ts'
import { responsesOf, type Mentions, type PersonalData } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listenTo, type Listener } from '../../../platform/listeners.ts'
import { REMOVED } from '../../answers/responses/completion.service.ts'
import * as store from './personal.store.ts'
import { openWords } from './timeline.service.ts'

const PAGE = 200

/** Excerpts of responses, and what members wrote about alerts. All of it is sealed, so it is opened to be searched. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'alerts',
      table: 'alerts',
      columns: ['excerpt', 'root_cause', 'resolution', 'case_url'],
      async find(scope, tx, person, mentions) {
        const about = await store.listAbout(tx, responsesOf(person))
        return { keys: [...new Set([...about, ...(await findNaming(scope, tx, mentions))])] }
      },
      erase: (_scope, tx, keys) => store.eraseWords(tx, keys),
      async export(scope, tx, keys, person) {
        const given = new Set<string>(person.responseIds)
        return (await store.listWords(tx, keys)).map(({ id, response_id, excerpt }) => ({
          id: formatId('alert', id),
          response_id: response_id && formatId('response', response_id),
          ...(response_id && given.has(response_id) && { excerpt: openWords(scope, id, excerpt) }),
        }))
      },
    },
    {
      store: 'comments',
      table: 'alert_entries',
      columns: ['text'],
      async find(scope, tx, person, mentions) {
        const about = await store.listEntriesAbout(tx, responsesOf(person))
        return { keys: [...new Set([...about, ...(await findComments(scope, tx, mentions))])] }
      },
      erase: (_scope, tx, keys) => store.eraseEntries(tx, keys),
      portable: false,
      export: async (scope, tx, keys) =>
        (await store.listEntries(tx, keys)).map(({ alert_id, at, kind, text }) => ({
          alert_id: formatId('alert', alert_id),
          at: at.toISOString(),
          kind,
          text: openWords(scope, alert_id, text),
        })),
    },
  ],
}

/** A deleted response leaves no excerpt behind. */
export const onRemoved: Listener = listenTo(REMOVED, async (_scope, tx) => ({
  hear: async (ids) => void (await store.eraseExcerpts(tx, ids)),
}))

async function findNaming(scope: Scope, tx: ReadTx, mentions: Mentions): Promise<string[]> {
  return scan(
    (after) => store.listWithWords(tx, after, PAGE),
    ({ id, root_cause, resolution }) =>
      mentions([root_cause, resolution].flatMap((words) => openWords(scope, id, words) ?? [])),
  )
}

async function findComments(scope: Scope, tx: ReadTx, mentions: Mentions): Promise<string[]> {
  return scan(
    (after) => store.listTexts(tx, after, PAGE),
    ({ alert_id, text }) => mentions([openWords(scope, alert_id, text) ?? '']),
  )
}

async function scan<Row extends { id: string }>(
  page: (after: string | null) => Promise<Row[]>,
  isTheirs: (row: Row) => Promise<boolean>,
): Promise<string[]> {
  const found: string[] = []
  for (let after: string | null = null; ;) {
    const rows: Row[] = await page(after)
    for (const row of rows) if (await isTheirs(row)) found.push(row.id)
    if (rows.length < PAGE) return found
    after = rows.at(-1)?.id ?? null
  }
}
