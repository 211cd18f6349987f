import { linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { selectKeys } from './exporting.store.ts'
import { sends } from './send.entity.ts'
import { presentSend } from './sends.service.ts'
import * as store from './sends.store.ts'

/** Sends as exports read them. Addresses are masked. */
export const exportedSends: ExportSource = {
  columns: () => sends.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    selectKeys(tx, await compileFilter('sends', filter ?? { all: [] }, { tx, alias: 's', now: snapshotAt })),
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return { rows: linesOf(rows.map(presentSend), fields), done: keys.length }
  },
}
