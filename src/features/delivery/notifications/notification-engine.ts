import type { Engine, Runtime } from '../../../platform/feature.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { sendOfTenant } from './worker.service.ts'

/** Sends a workspace's notifications when woken. After a lost wake, the recovery sweep sends them. */
export function createNotificationEngine({ run, log }: Runtime): Engine {
  const woken = new Set<TenantId>()
  let running: Promise<void> | null = null
  let stopping = false

  async function work(): Promise<void> {
    for (const tenantId of woken) {
      woken.delete(tenantId)
      if (stopping) return
      await run(async (system) => {
        while (!stopping && (await sendOfTenant(system, tenantId)) > 0);
      }).catch((err: unknown) => log.warn({ err }, 'notifications were not sent: the recovery sweep tries again'))
    }
  }

  return {
    start() {},
    wake({ tenantId }) {
      woken.add(tenantId)
      running ??= work().finally(() => {
        running = null
      })
    },
    async stop() {
      stopping = true
      await running
    },
  }
}
