import { linesOf, type ExportSource } from '../../../platform/export-source.ts'
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
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return linesOf(
      rows.map((row) => presentLead(scope, row, shows.includes('leads.manage'))),
      fields,
    )
  },
}
