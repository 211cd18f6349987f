import type { BacklogRow } from '../../../platform/work/due-tenants.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { readSendBacklog } from '../../delivery/sends/sends.service.ts'
import { readMailBacklog } from '../../access/mail/mail.service.ts'
import { readNotificationBacklog } from '../../delivery/notifications/notifications.service.ts'
import { readDeliveryBacklog } from '../../delivery/webhooks/engine/health.service.ts'
import { readJobBacklog } from '../../delivery/webhooks/replay/jobs.service.ts'
import type { BackgroundState } from './background-metrics.ts'
import { listSweeps } from '../../../platform/work/sweeps.ts'

/** The durable queues. The feature that owns a queue reads it. */
const QUEUES: Record<string, (system: SystemScope) => Promise<BacklogRow[]>> = {
  webhook_deliveries: readDeliveryBacklog,
  webhook_jobs: readJobBacklog,
  emails: readMailBacklog,
  sends: readSendBacklog,
  notifications: readNotificationBacklog,
}

/** Reads the waiting rows of every queue and the delay of every sweep. */
export async function readBackground(system: SystemScope): Promise<BackgroundState> {
  const queues = []
  for (const [name, read] of Object.entries(QUEUES)) queues.push({ name, tenants: await read(system) })
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
