import { batchOf, removeByAge } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { listWithSends } from '../../delivery/sends/sends.service.ts'
import * as store from './retention.store.ts'

/** Removes old invitations that have no sends left. Returns the number. */
export async function removeOldInvitations(system: SystemScope, options: SweepOptions): Promise<number> {
  const { sendsDays } = system.settings.retention
  if (sendsDays === null) return 0
  const oldest = await store.listOldest(system)
  return removeByAge(system, options, {
    oldest,
    daysOf: () => sendsDays,
    removeBatch: async (scope, range) => {
      return scope.tx(async (tx) => {
        const old = await store.lockOldInvitations(tx, range)
        const kept = await listWithSends(tx, old)
        const gone = old.filter((id) => !kept.has(id))
        return batchOf(old, range.limit, gone.length > 0 ? await store.deleteInvitations(tx, gone) : 0)
      })
    },
  })
}
