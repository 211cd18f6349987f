import type { ReadTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import type { Looking, Mentions, PersonalData, PersonalStore } from '../../../platform/personal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { listLeadIdsOf } from '../leads/leads.service.ts'
import * as store from './personal.store.ts'
import { openSnapshots } from './rows.service.ts'
import { openChange } from './words.ts'

// Each may have 100,000 characters of attributes.
const PAGE = 50

/**
 * Values of rows that a batch can still give back, and those that it gives. They are sealed, so each is opened.
 * A key is a row of the person, `batch/row` for kept values that name them, or `batch/` for words that do.
 */
const keptValues: PersonalStore = {
  store: 'responses',
  table: 'batch_rows',
  columns: ['kept', 'batches.words'],
  async find(scope, tx, person, looking) {
    const { responseIds, mentionedIn, personIds } = person
    const rows = [...responseIds, ...mentionedIn, ...personIds, ...(await listLeadIdsOf(tx, person))]
    const own = await store.listRowsWithValues(tx, rows)
    return { keys: [...own, ...(await findNaming(scope, tx, new Set(own), looking))] }
  },
  async erase(_scope, tx, keys) {
    const { rows, kept, batchIds } = readKeys(keys)
    const erased = (await store.forgetRows(tx, rows)) + (await store.clearSnapshots(tx, kept))
    return erased + (await store.forgetWords(tx, batchIds))
  },
  // The members of the workspace wrote them.
  portable: false,
  isAwaited: true,
  async export(scope, tx, keys, person, mentions) {
    const { rows, kept, batchIds } = readKeys(keys)
    const own = new Set<string>([...person.responseIds, ...person.personIds, ...(await listLeadIdsOf(tx, person))])
    const records: object[] = []
    for (const row of await store.listSnapshotsOf(tx, rows)) {
      const { before, after } = openSnapshots(scope, row.batch_id, row.row_id, row.kept)
      const values = own.has(row.row_id)
        ? { before: wordsOf(before), after: wordsOf(after) }
        : { mentions: await naming(leavesOf([wordsOf(before), wordsOf(after)]), mentions) }
      records.push({ batch_id: formatId('batch', row.batch_id), ...values })
    }
    for (const row of await store.listSnapshotsBy(tx, kept))
      records.push({ batch_id: formatId('batch', row.batch_id), mentions: await naming(keptIn(scope, row), mentions) })
    for (const row of await store.listWords(tx, batchIds))
      records.push({ batch_id: formatId('batch', row.id), mentions: await naming(givenBy(scope, row), mentions) })
    return records
  },
}

export const personal: PersonalData = { stores: [keptValues] }

/** Words and values that name the person, though the rows are somebody else's or do not name them any more. */
async function findNaming(scope: Scope, tx: ReadTx, own: Set<string>, { mentions, scan }: Looking): Promise<string[]> {
  const found: string[] = []
  const page = (after: string | null) => store.listHolding(tx, after, PAGE)
  for await (const batch of scan('batches', { page, size: PAGE, idOf: ({ id }) => id })) {
    if (await mentions(givenBy(scope, batch))) found.push(`${batch.id}/`)
    for await (const row of keptOf(tx, batch))
      if (!own.has(row.row_id) && (await mentions(keptIn(scope, row)))) found.push(`${row.batch_id}/${row.row_id}`)
  }
  return found
}

async function* keptOf(tx: ReadTx, { id }: store.WordsRow): AsyncGenerator<store.SnapshotsRow> {
  for (let after: string | null = null; ;) {
    const rows: store.SnapshotsRow[] = await store.listSnapshotsIn(tx, id, after, PAGE)
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)?.row_id ?? null
  }
}

function keptIn(scope: Scope, { batch_id, row_id, kept }: store.SnapshotsRow): string[] {
  const { before, after } = openSnapshots(scope, batch_id, row_id, kept)
  return [...new Set(leavesOf([wordsOf(before), wordsOf(after)]))]
}

function givenBy(scope: Scope, { id, words }: store.WordsRow): string[] {
  const { agent_id: agent, ...others } = openChange(scope.secrets, { id, change: {}, words })
  // The digits of an id may be those of a phone number by chance.
  return leavesOf([others, ...(typeof agent === 'string' && /[@＠+]/.test(agent) ? [agent] : [])])
}

/** The values of a row that are words. The ids of its owner and agent are not. */
function wordsOf(values: Record<string, unknown> | null): Record<string, unknown> {
  const { tags, attributes, language } = values ?? {}
  return { tags, attributes, language }
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return value === null || value === undefined ? [] : [String(value)]
}

async function naming(texts: string[], mentions: Mentions): Promise<string[]> {
  const found = new Set<string>()
  for (const text of texts) if (await mentions([text])) found.add(text)
  return [...found]
}

function readKeys(keys: string[]): { rows: string[]; kept: store.SnapshotsKey[]; batchIds: string[] } {
  const parts = keys.filter((key) => key.includes('/')).map((key) => key.split('/'))
  const pairs = parts.map(([batchId = '', rowId = '']) => ({ batchId, rowId }))
  return {
    rows: keys.filter((key) => !key.includes('/')),
    kept: pairs.filter(({ rowId }) => rowId !== ''),
    batchIds: pairs.filter(({ rowId }) => rowId === '').map(({ batchId }) => batchId),
  }
}
