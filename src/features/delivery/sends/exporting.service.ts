import { linesOf, type ExportSource } from '../../../platform/export-source.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { readAddressHash } from '../../trust/addresses/addresses.service.ts'
import { selectKeys } from './exporting.store.ts'
import { sends } from './send.entity.ts'
import { presentSend } from './sends.service.ts'
import * as store from './sends.store.ts'

/** Sends as exports read them. Addresses are masked. */
export const exportedSends: ExportSource = {
  columns: () => sends.exported,
  select: async (scope, tx, { filter, snapshotAt }) => {
    const context = { tx, alias: 's', now: snapshotAt, hashAddress: await readAddressHash(scope, tx) }
    return selectKeys(tx, await compileFilter('sends', filter ?? { all: [] }, context))
  },
  async read(_scope, tx, keys, _spec, fields) {
    const rows = await store.listByIds(
      tx,
      keys.map(({ id }) => id),
    )
    return { rows: linesOf(rows.map(presentSend), fields), done: keys.length }
  },
}
