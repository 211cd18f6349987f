import { columnsOf, linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { selectKeys } from './exporting.store.ts'
import { presentSend } from './sends.service.ts'
import * as store from './sends.store.ts'

/** Sends as exports read them. Addresses are masked. */
export const exportedSends: ExportSource = {
  columns: () =>
    columnsOf({
      id: 'text',
      invitation_id: 'text',
      survey_id: 'text',
      channel: 'text',
      recipient: 'text',
      language: 'text',
      agent_id: 'text',
      reminder: 'number',
      status: 'text',
      reason: 'text',
      response_id: 'text',
      send_at: 'date',
      created_at: 'date',
      accepted_at: 'date',
      delivered_at: 'date',
      bounced_at: 'date',
      complained_at: 'date',
      opened_at: 'date',
      clicked_at: 'date',
      started_at: 'date',
      completed_at: 'date',
    }),
  select: async (_scope, tx, { filter, snapshotAt }) =>
    selectKeys(tx, await compileFilter('sends', filter ?? { all: [] }, { tx, alias: 's', now: snapshotAt })),
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return linesOf(rows.map(presentSend), fields)
  },
}
