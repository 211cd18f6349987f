import { linesOf, columnsOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { presentSealed } from './audit.service.ts'
import * as store from './audit.store.ts'
import { selectKeys } from './exporting.store.ts'

/** The audit log as exports read it. As JSONL it holds entries in the form of the API, so that a chain can be checked. */
export const exportedEntries: ExportSource = {
  columns: () =>
    columnsOf({
      seq: 'number',
      id: 'text',
      at: 'date',
      actor: 'json',
      action: 'text',
      target: 'json',
      outcome: 'text',
      ip: 'text',
      request_id: 'text',
      changes: 'json',
      previous_hash: 'text',
      hash: 'text',
    }),
  select: async (_scope, tx, { filter, snapshotAt }) =>
    selectKeys(tx, await compileFilter('audit', filter ?? { all: [] }, { tx, alias: 'e', now: snapshotAt })),
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return linesOf(rows.map(presentSealed), fields)
  },
}
