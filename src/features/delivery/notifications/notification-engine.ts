import type { Engine, Runtime } from '../../../platform/feature.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { sendOfTenant } from './worker.service.ts'

// A workspace whose chat does not answer holds up few others.
const AT_ONCE = 8

/** Sends a workspace's notifications when woken. After a lost wake, the recovery sweep sends them. */
export function createNotificationEngine({ run, log }: Runtime): Engine {
  const woken = new Set<TenantId>()
  const running = new Map<TenantId, Promise<void>>()
  let stopping = false

  async function work(tenantId: TenantId): Promise<void> {
    await run(async (system) => {
      while (!stopping && (await sendOfTenant(system, tenantId)) > 0);
    }).catch((err: unknown) => log.warn({ err }, 'notifications were not sent: the recovery sweep tries again'))
    running.delete(tenantId)
    begin()
  }

  function begin(): void {
    for (const tenantId of woken) {
      if (stopping || running.size >= AT_ONCE) return
      if (running.has(tenantId)) continue
      woken.delete(tenantId)
      running.set(tenantId, work(tenantId))
    }
  }

  return {
    start() {},
    wake({ tenantId }) {
      woken.add(tenantId)
      begin()
    },
    async stop() {
      stopping = true
      await Promise.all(running.values())
    },
  }
}
