import type { z } from 'zod'
import { type ReadTx, systemTransaction } from '../../../platform/database/database.ts'
import { listQueues } from '../../../platform/fields/parts.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { countWaitingMail } from '../../access/mail/mail.service.ts'
import { countWaitingDeliveries } from '../../delivery/webhooks/engine/health.service.ts'
import type { BackgroundState } from './background-metrics.ts'
import type { System } from './system.schema.ts'
import { listSweeps } from '../../../platform/work/sweeps.ts'

/** Counts the waiting rows of one queue in a workspace. */
type CountWaiting = (tx: ReadTx) => Promise<{ depth: number; oldestAt: Date | null }>

/** The durable queues. The feature that owns a queue counts it. */
const QUEUES: Record<string, CountWaiting> = { emails: countWaitingMail, webhook_deliveries: countWaitingDeliveries }

export async function describeSystem(scope: Scope): Promise<z.input<typeof System>> {
  const now = scope.clock.now()
  const ageSeconds = (since: Date) => Math.max(0, (now.getTime() - since.getTime()) / 1000)
  const queues = await scope.read(async (tx) => {
    const counted: Record<string, { depth: number; oldest_pending_age_seconds: number | null }> = {}
    for (const [name, count] of Object.entries(QUEUES)) {
      const { depth, oldestAt } = await count(tx)
      counted[name] = { depth, oldest_pending_age_seconds: oldestAt && ageSeconds(oldestAt) }
    }
    return counted
  })
  const rows = await systemTransaction(scope.ports.database, listSweeps)
  const sweeps = rows.map((row) => ({
    name: row.name,
    lag_seconds: ageSeconds(row.next_at),
    last_finished_at: row.last_finished_at?.toISOString() ?? null,
    failing: row.last_error !== null,
  }))
  const ages = Object.values(queues).flatMap(({ oldest_pending_age_seconds: age }) => (age === null ? [] : [age]))
  return {
    version: scope.settings.version,
    queue_depth: Object.values(queues).reduce((sum, { depth }) => sum + depth, 0),
    oldest_pending_age_seconds: ages.length > 0 ? Math.max(...ages) : null,
    queues,
    sweep_lag_seconds: Math.max(0, ...sweeps.map((sweep) => sweep.lag_seconds)),
    sweeps,
    features: { signups: scope.settings.signups === 'open', ...scope.settings.configured },
  }
}

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
