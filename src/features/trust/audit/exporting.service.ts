import { linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { presentSealed } from './audit.service.ts'
import * as store from './audit.store.ts'
import { entries } from './entry.entity.ts'

/** The audit log as exports read it. As JSONL it holds entries in the form of the API, so that a chain can be checked. */
export const exportedEntries: ExportSource = {
  columns: () => entries.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    store.selectKeys(tx, await compileFilter('audit', filter ?? { all: [] }, { tx, alias: 'e', now: snapshotAt })),
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return { rows: linesOf(rows.map(presentSealed), fields), done: keys.length }
  },
}
