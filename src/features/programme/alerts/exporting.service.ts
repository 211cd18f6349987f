import { columnsOf, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { presentAlert } from './alerts.service.ts'
import * as store from './alerts.store.ts'

/** Alerts as exports read them. */
export const exportedAlerts: ExportSource = {
  columns: () =>
    columnsOf({
      id: 'text',
      rule_id: 'text',
      response_id: 'text',
      survey_id: 'text',
      status: 'text',
      priority: 'text',
      owner_id: 'text',
      opened_at: 'date',
      due_at: 'date',
      overdue: 'boolean',
      escalated_at: 'date',
      acknowledged_at: 'date',
      resolved_at: 'date',
      closed_at: 'date',
      root_cause: 'text',
      resolution: 'text',
      score: 'number',
      excerpt: 'text',
      case_url: 'text',
      comment_count: 'number',
    }),
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
