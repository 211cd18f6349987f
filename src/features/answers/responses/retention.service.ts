import { removeByAge } from '../../../platform/work/retention.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { readDays } from '../../access/workspaces/retention.service.ts'
import { removeResponses } from './responses.service.ts'
import * as store from './retention.store.ts'

/** Removes responses past the days of the operator or their workspace. Returns the number. */
export async function removeOldResponses(system: SystemScope, options: SweepOptions): Promise<number> {
  const daysOf = await readDays(system, system.settings.retention.responsesDays, 'responses_days')
  const oldest = await store.listOldest(system)
  return removeByAge(system, options, {
    action: 'response.expire',
    oldest,
    daysOf,
    removeBatch: (scope, range) => scope.tx((tx) => removeResponses(scope, tx, range)),
  })
}
