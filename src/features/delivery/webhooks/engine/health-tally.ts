import type { Id, TenantId } from '../../../../platform/ids.ts'
import { latencyClassOf } from '../staging/latency-class.ts'
import type { Attempted } from './attempt.ts'
import { isDelivered } from './delivery.ts'

const HOUR_MS = 3_600_000
const WRITE_EVERY_MS = 1_000
// As many transactions as leave in one write to the database.
const TENANTS_AT_ONCE = 32

/** Attempts of one hour with one outcome and class of latency. */
export interface HealthCount {
  webhookId: Id<'webhook'>
  hour: Date
  succeeded: boolean
  latencyClass: number
  attempts: number
}

export function keyOf({ webhookId, hour, succeeded, latencyClass }: Omit<HealthCount, 'attempts'>): string {
  return `${webhookId} ${hour.getTime()} ${succeeded} ${latencyClass}`
}

export interface HealthTally {
  /** Counts recorded attempts. Tests do not count. */
  add(tenantId: TenantId, batch: Attempted[]): void
  /** Writes all counts now. */
  flush(): Promise<void>
}

interface Options {
  write(tenantId: TenantId, counts: HealthCount[]): Promise<void>
  onError(error: unknown): void
}

/**
 * Counts attempts in memory, and writes the counts of each tenant at most once a second: no attempt waits for its
 * figures. A crash loses those of the last second, and no delivery.
 */
export function createHealthTally({ write, onError }: Options): HealthTally {
  let counted = new Map<TenantId, Map<string, HealthCount>>()
  let lastAt = 0
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function count(tenantId: TenantId, added: HealthCount): void {
    const own = counted.get(tenantId) ?? new Map<string, HealthCount>()
    counted.set(tenantId, own)
    const key = keyOf(added)
    const known = own.get(key)
    if (known) known.attempts += added.attempts
    else own.set(key, added)
  }

  async function writeAll(): Promise<void> {
    const taken = counted.entries()
    counted = new Map()
    await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, () => writeEach(taken)))
  }

  async function writeEach(taken: Iterable<[TenantId, Map<string, HealthCount>]>): Promise<void> {
    for (const [tenantId, counts] of taken) {
      try {
        await write(tenantId, [...counts.values()])
      } catch (error) {
        onError(error)
        // They go with the next write.
        for (const each of counts.values()) count(tenantId, each)
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    lastAt = performance.now()
    writing = writing.then(writeAll)
    return writing
  }

  return {
    add(tenantId, batch) {
      for (const { row, outcome, settled } of batch) {
        if (row.test) continue
        count(tenantId, {
          webhookId: row.webhook_id,
          hour: new Date(Math.floor(settled.at.getTime() / HOUR_MS) * HOUR_MS),
          succeeded: isDelivered(outcome),
          latencyClass: latencyClassOf(outcome.latencyMs),
          attempts: 1,
        })
      }
      if (counted.size === 0) return
      const waitMs = Math.max(0, lastAt + WRITE_EVERY_MS - performance.now())
      timer ??= setTimeout(() => void flush(), waitMs).unref()
    },
    flush,
  }
}
