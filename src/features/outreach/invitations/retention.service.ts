import { batchOf, removeByAge } from '../../../platform/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/sweeps.ts'
import * as store from './retention.store.ts'

/** Removes invitations of long ago, once none of their sends is left. Returns how many. */
export async function removeOldInvitations(system: SystemScope, options: SweepOptions): Promise<number> {
  const { sendsDays } = system.settings.retention
  if (sendsDays === null) return 0
  const oldest = await system.tx(store.listOldest)
  return removeByAge(system, options, {
    oldest,
    daysOf: () => sendsDays,
    removeBatch: async (scope, range) => {
      const { looked, removed } = await scope.tx((tx) => store.deleteInvitations(tx, range))
      return batchOf(looked, range.limit, removed)
    },
  })
}
