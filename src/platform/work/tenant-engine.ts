import type { Engine, Runtime } from '../feature.ts'
import type { TenantId } from '../ids.ts'
import type { SystemScope } from '../scope.ts'

// A workspace whose provider does not answer holds up few others.
const AT_ONCE = 8

export interface TenantWork {
  /** Does some of the due work of one tenant. Returns how much it did, 0 when none is left. */
  work(system: SystemScope, tenantId: TenantId): Promise<number>
  /** The line of the log after an error. */
  failed: string
  /** Tenants at once. More where those that wait hold nothing. */
  atOnce?: number
}

/**
 * Works for a tenant when woken, until none is due. Tenants take turns where more are woken than work at once. A sweep
 * finds what a lost wake leaves.
 */
export function tenantEngine({ work, failed, atOnce = AT_ONCE }: TenantWork): (runtime: Runtime) => Engine {
  return ({ run, log }) => {
    const woken = new Set<TenantId>()
    const running = new Map<TenantId, Promise<void>>()
    let stopping = false

    async function workFor(tenantId: TenantId): Promise<void> {
      await run(async (system) => {
        while (!stopping && (await work(system, tenantId)) > 0) {
          if (woken.size === 0) continue
          // Others wait for its place.
          woken.add(tenantId)
          return
        }
      }).catch((err: unknown) => log.warn({ err }, failed))
      running.delete(tenantId)
      begin()
    }

    function begin(): void {
      for (const tenantId of woken) {
        if (stopping || running.size >= atOnce) return
        if (running.has(tenantId)) continue
        woken.delete(tenantId)
        running.set(tenantId, workFor(tenantId))
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
}
