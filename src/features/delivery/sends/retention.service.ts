import { unregister } from '../../../platform/database/directory.ts'
import {
  listOldestRows,
  batchOf,
  removeByAge,
  removeOldRows,
  type AgeRange,
  type Batch,
} from '../../../platform/work/retention.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { PROVIDER_MESSAGE } from './acceptance.service.ts'
import * as store from './sends.store.ts'

/**
 * Removes sends, their records and the messages of providers about them, past `RETENTION_SENDS_DAYS`. Returns how many
 * rows.
 */
export async function removeOldSends(system: SystemScope, options: SweepOptions): Promise<number> {
  const { sendsDays } = system.settings.retention
  if (sendsDays === null) return 0
  const sends = await removeByAge(system, options, {
    action: 'send.expire',
    oldest: await listOldestRows(system, 'sends'),
    daysOf: () => sendsDays,
    removeBatch: removeSends,
  })
  const records = await removeOldRows(system, options, {
    table: 'survey_deliveries',
    agedBy: 'accepted_at',
    days: sendsDays,
  })
  return (
    sends +
    records +
    (await removeOldRows(system, options, { table: 'provider_messages', agedBy: 'received_at', days: sendsDays }))
  )
}

function removeSends(scope: Scope, range: AgeRange): Promise<Batch> {
  return scope.tx(async (tx) => {
    const gone = await store.deleteSends(tx, range)
    await unregister(
      tx,
      PROVIDER_MESSAGE,
      gone.map((row) => row.provider_id).filter((id) => id !== null),
    )
    return batchOf(
      gone.map(({ id }) => id),
      range.limit,
    )
  })
}
