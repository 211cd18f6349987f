import { firstKeys, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { alerts } from './alert.entity.ts'
import { presentAlert } from './alerts.service.ts'
import * as store from './alerts.store.ts'

/** Alerts as exports read them. */
export const exportedAlerts: ExportSource = {
  columns: () => alerts.exported,
  select: async (_scope, tx, { filter, snapshotAt }) =>
    store.selectKeys(tx, await compileFilter('alerts', filter ?? { all: [] }, { tx, alias: 'a', now: snapshotAt })),
  async read(scope, tx, keys, _spec, fields) {
    const first = await firstKeys(tx, keys, store.sizesOf(tx, keys))
    const rows = await store.listByIds(
      tx,
      first.map(({ id }) => id),
    )
    const presented = rows.map((row) => presentAlert(scope, row))
    return { rows: linesOf(presented, fields), done: first.length }
  },
}
