import { columnsOf, linesOf, type ExportSource } from '../../../../platform/export-source.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import { presentDelivery } from './deliveries.service.ts'
import * as store from './deliveries.store.ts'
import { selectKeys } from './exporting.store.ts'

/** The ledger as exports read it. */
export const exportedDeliveries: ExportSource = {
  columns: () =>
    columnsOf({
      id: 'text',
      webhook_id: 'text',
      event: 'text',
      event_id: 'text',
      survey_id: 'text',
      status: 'text',
      dead_lettered: 'boolean',
      attempts: 'number',
      max_attempts: 'number',
      next_attempt_at: 'date',
      last_status_code: 'number',
      last_error: 'text',
      last_latency_ms: 'number',
      created_at: 'date',
      delivered_at: 'date',
    }),
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
    return linesOf(rows.map(presentDelivery), fields)
  },
}
