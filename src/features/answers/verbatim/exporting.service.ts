import { columnsOf, firstKeys, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import type { Listed } from '../../../platform/fields/lists.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import * as lists from './search/list.store.ts'
import { verbatims } from './verbatim.entity.ts'
import { Verbatim } from './verbatim.schema.ts'
import { OF_TEXT } from './verbatim-rows.ts'
import { presentAll } from './search/verbatim.service.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import * as store from './verbatim.store.ts'

/** Texts as exports read them. */
const exportedVerbatim: ExportSource = {
  columns: () => verbatims.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    lists.selectKeys(
      tx,
      await compileFilter('responses', filter ?? { all: [] }, { tx, alias: OF_TEXT, now: snapshotAt }),
    ),
  async read(_scope, tx, keys, _spec, fields) {
    const first = await firstKeys(tx, keys, lists.sizesOf(tx, keys))
    const wanted = new Set(first.map(({ id, member }) => `${id}/${member}`))
    const found = await lists.listOfResponses(tx, [...new Set(first.map(({ id }) => id))])
    const rows = found.filter(({ response_id, question_id }) => wanted.has(`${response_id}/${question_id}`))
    const texts = await presentAll(tx, rows)
    const presented = texts.map(({ sentiment, topics, ...text }) => ({
      ...text,
      sentiment: sentiment.label,
      sentiment_score: sentiment.score,
      sentiment_source: sentiment.source,
      topics: topics.map(({ name }) => name),
    }))
    return { rows: linesOf(presented, fields), done: first.length }
  },
}

/** The list of texts. */
export const listedVerbatim: Listed = {
  filteredAs: 'responses',
  members: Object.keys(Verbatim.shape),
  moment: 'recorded_at',
  suggests: ['channel', 'language', 'tag', 'topic', 'agent_id', 'team'],
  only: [
    { field: 'state', op: 'eq', value: 'completed' },
    { field: 'text', op: 'is_set' },
  ],
  exported: exportedVerbatim,
}

/** The topics and sentiments of the texts of each response, together. A response without a text is absent. */
export const exportedMarks = {
  columns: columnsOf({ topic: 'list', sentiment: 'list' }),
  suggests: ['topic'],
  async read(tx: ReadTx, ids: Id<'response'>[]) {
    const marks = await store.listMarks(tx, ids)
    return new Map(marks.map((row) => [row.response_id, { topic: row.topics, sentiment: row.sentiments }]))
  },
}
