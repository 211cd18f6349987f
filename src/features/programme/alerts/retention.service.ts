import { batchOf, removeByAge } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { readDays } from '../../access/workspaces/retention.service.ts'
import * as store from './retention.store.ts'

/** Removes alerts past the days of responses. Returns the number. */
export async function removeOldAlerts(system: SystemScope, options: SweepOptions): Promise<number> {
  return removeByAge(system, options, {
    oldest: await store.listOldest(system),
    daysOf: await readDays(system, system.settings.retention.responsesDays, 'responses_days'),
    removeBatch: async (scope, range) => batchOf(await scope.tx((tx) => store.deleteOpened(tx, range)), range.limit),
  })
}
