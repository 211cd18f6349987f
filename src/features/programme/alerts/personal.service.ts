import { formatId } from '../../../platform/ids.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import {
  keysOfResponses,
  responsesOf,
  rowOf,
  splitKeys,
  wordsKey,
  type Looking,
  type PersonalData,
} from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listenTo, type Listener } from '../../../platform/work/listeners.ts'
import { REMOVED } from '../../answers/responses/completion.service.ts'
import { alerts } from './alert.entity.ts'
import * as store from './personal.store.ts'
import { openWords } from './timeline.service.ts'

const PAGE = 200

/** Excerpts of responses, and what members wrote about alerts. All of it is sealed, so it is opened to be searched. */
export const personal: PersonalData = {
  stores: [
    {
      store: 'alerts',
      table: 'alerts',
      columns: alerts.personal,
      async find(scope, tx, person, looking) {
        const about = await store.listAbout(tx, responsesOf(person))
        return { keys: [...about, ...(await findNaming(scope, tx, new Set(about), looking))] }
      },
      async erase(scope, tx, keys) {
        const { whole, words } = splitKeys(keys)
        let erased = await store.eraseWords(tx, whole)
        for (const row of await store.lockRows(tx, [...words.keys()])) {
          const isErased = words.get(row.id) ?? (() => false)
          const leave = (sealed: string | null) => (isErased(openWords(scope, row.id, sealed)) ? null : sealed)
          const { root_cause, resolution, case_url } = row
          erased += await store.keepWords(tx, row.id, {
            root_cause: leave(root_cause),
            resolution: leave(resolution),
            case_url: isErased(case_url) ? null : case_url,
          })
        }
        return erased
      },
      async export(scope, tx, keys, person) {
        const given = new Set<string>(person.responseIds)
        return (await store.listWords(tx, [...new Set(keys.map(rowOf))])).map(({ id, response_id, excerpt }) => ({
          id: formatId('alert', id),
          response_id: response_id && formatId('response', response_id),
          ...(response_id && given.has(response_id) && { excerpt: openWords(scope, id, excerpt) }),
        }))
      },
    },
    {
      store: 'comments',
      table: 'alert_entries',
      columns: ['before', 'after', 'text'],
      async find(scope, tx, person, looking) {
        const about = await keysOfResponses(looking, 'entries', person, (ids) => store.listEntriesAbout(tx, ids))
        return { keys: [...new Set([...about, ...(await findComments(scope, tx, looking))])] }
      },
      erase: (_scope, tx, keys) => store.eraseEntries(tx, keys),
      portable: false,
      async export(scope, tx, keys, person, mentions) {
        const given = new Set<string | null>(person.responseIds)
        const records = []
        for (const entry of await store.listEntries(tx, keys)) {
          const words = wordsOf(scope, entry)
          // Of an alert about somebody else, the person reads what mentions them.
          if (given.has(entry.response_id) || (await mentions(words)))
            records.push({
              alert_id: formatId('alert', entry.alert_id),
              at: entry.at.toISOString(),
              kind: entry.kind,
              text: words.join(' → '),
            })
        }
        return records
      },
    },
  ],
}

/** A deleted response leaves no excerpt behind. */
export const onRemoved: Listener = listenTo(REMOVED, async (_scope, tx) => ({
  handle: async (ids) => void (await store.eraseExcerpts(tx, ids)),
}))

/** Words of members about alerts that are somebody else's. */
async function findNaming(
  scope: Scope,
  tx: ReadTx,
  about: Set<string>,
  { mentions, scan }: Looking,
): Promise<string[]> {
  const found: string[] = []
  const page = (after: string | null) => store.listWithWords(tx, after, PAGE)
  for await (const row of scan('alerts', { page, size: PAGE, idOf: ({ id }) => id })) {
    if (about.has(row.id)) continue
    const words = [openWords(scope, row.id, row.root_cause), openWords(scope, row.id, row.resolution), row.case_url]
    for (const text of words) if (text !== null && (await mentions([text]))) found.push(wordsKey(row.id, text))
  }
  return found
}

async function findComments(scope: Scope, tx: ReadTx, { mentions, scan }: Looking): Promise<string[]> {
  const found: string[] = []
  const page = (after: string | null) => store.listTexts(tx, after, PAGE)
  for await (const entry of scan('comments', { page, size: PAGE, idOf: ({ id }) => id }))
    if (await mentions(wordsOf(scope, entry))) found.push(entry.id)
  return found
}

function wordsOf(scope: Scope, { alert_id, kind, before, after, text }: store.Entry): string[] {
  const links = kind === 'case_url' ? [before, after] : []
  return [openWords(scope, alert_id, text), ...links].filter((each) => each !== null)
}
