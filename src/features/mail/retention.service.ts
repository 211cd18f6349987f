import { batchOf, removeByAge } from '../../platform/retention.ts'
import type { SystemScope } from '../../platform/scope.ts'
import type { SweepOptions } from '../../platform/sweeps.ts'
import * as store from './retention.store.ts'

/** Removes mail that was finished long ago. Returns how many. */
export async function removeFinishedMail(system: SystemScope, options: SweepOptions): Promise<number> {
  const { mailDays } = system.settings.retention
  if (mailDays === null) return 0
  const oldest = await system.tx(store.listOldest)
  return removeByAge(system, options, {
    oldest,
    daysOf: () => mailDays,
    removeBatch: async (scope, range) => batchOf(await scope.tx((tx) => store.deleteFinished(tx, range)), range.limit),
  })
}
