import { firstKeys, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { leads } from './lead.entity.ts'
import { presentLead } from './leads.service.ts'
import * as store from './leads.store.ts'

/** Leads as exports read them: masked, unless the author of the export keeps leads. */
export const exportedLeads: ExportSource = {
  columns: () => leads.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    store.selectKeys(tx, await compileFilter('leads', filter ?? { all: [] }, { tx, alias: 'l', now: snapshotAt })),
  async read(scope, tx, keys, { shows }, fields) {
    const first = await firstKeys(tx, keys, store.sizesOf(tx, keys))
    const rows = await store.listByIds(
      tx,
      first.map(({ id }) => id),
    )
    const presented = rows.map((row) => presentLead(scope, row, shows.includes('leads.manage')))
    return { rows: linesOf(presented, fields), done: first.length }
  },
}
