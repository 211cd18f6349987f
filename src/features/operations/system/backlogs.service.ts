import type { SystemScope } from '../../../platform/scope.ts'
import { listQueues } from '../../../platform/fields/parts.ts'
import type { BackgroundState } from './background-metrics.ts'
import { listSweeps } from '../../../platform/work/sweeps.ts'

/** Reads the waiting rows of every queue and the delay of every sweep. */
export async function readBackground(system: SystemScope): Promise<BackgroundState> {
  const queues = []
  for (const [name, list] of listQueues()) queues.push({ name, tenants: await system.tx(list) })
  const now = system.clock.now()
  const sweeps = await system.tx(listSweeps)
  return {
    now,
    queues,
    sweeps: sweeps.map((row) => ({
      name: row.name,
      // A running sweep is not late, however long it takes.
      lagSeconds:
        row.lease_until !== null && row.lease_until > now
          ? 0
          : Math.max(0, (now.getTime() - row.next_at.getTime()) / 1000),
      failing: row.last_error !== null,
    })),
  }
}
