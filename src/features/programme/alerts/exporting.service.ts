import { linesOf, type ExportSource } from '../../../platform/export-source.ts'
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
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return linesOf(
      rows.map((row) => presentAlert(scope, row)),
      fields,
    )
  },
}
