import { linesOf, type ExportSource } from '../../../../platform/export-source.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import { presentDelivery } from './deliveries.service.ts'
import * as store from './deliveries.store.ts'
import { deliveries } from './delivery.entity.ts'
import { selectKeys } from './exporting.store.ts'

/** The ledger as exports read it. */
export const exportedDeliveries: ExportSource = {
  columns: () => deliveries.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    selectKeys(
      tx,
      await compileFilter('webhook_deliveries', filter ?? { all: [] }, { tx, alias: 'd', now: snapshotAt }),
    ),
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return { rows: linesOf(rows.map(presentDelivery), fields), done: keys.length }
  },
}
