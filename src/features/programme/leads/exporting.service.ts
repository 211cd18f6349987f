import { columnsOf, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { presentLead } from './leads.service.ts'
import * as store from './leads.store.ts'

/** Leads as exports read them: masked, unless the author of the export keeps leads. */
export const exportedLeads: ExportSource = {
  columns: () =>
    columnsOf({
      id: 'text',
      status: 'text',
      source: 'text',
      response_id: 'text',
      survey_id: 'text',
      name: 'text',
      email: 'text',
      phone: 'text',
      company: 'text',
      consent: 'json',
      owner_id: 'text',
      follow_up_at: 'date',
      tags: 'list',
      notes: 'json',
      created_at: 'date',
      updated_at: 'date',
    }),
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
