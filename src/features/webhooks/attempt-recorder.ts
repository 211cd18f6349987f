import type { TenantId } from '../../platform/ids.ts'

const RECORD_AT_MOST = 200
const RETRY_MS = 500
// A row that the database refuses this often on its own is left to its lease.
const TRIES = 5
const GATHER_MS = 10
const GATHER_ROWS = 64

export interface AttemptRecorder<Attempted> {
  add(tenantId: TenantId, attempted: Attempted): void
  /** Whether something was not written yet. */
  busy(): boolean
}

interface Options<Attempted> {
  write(tenantId: TenantId, batch: Attempted[]): Promise<void>
  /** Whether an error says that the database is away, and nothing about the rows. */
  isAway(error: unknown): boolean
  /** Whether more attempts are on their way. */
  expectsMore(): boolean
  onRecorded(batch: Attempted[], seconds: number): void
  onError(error: unknown): void
  /** A tenant has nothing left to be written. */
  onSettled(): void
}

/** Writes what came of attempts in batches, one transaction at a time for each tenant: what ends meanwhile goes into the next one together. */
export function createAttemptRecorder<Attempted>(options: Options<Attempted>): AttemptRecorder<Attempted> {
  const results = new Map<TenantId, Attempted[]>()
  const gathering = new Map<TenantId, () => void>()

  async function record(tenantId: TenantId, waiting: Attempted[]): Promise<void> {
    let size = RECORD_AT_MOST
    let tries = 0
    while (waiting.length > 0) {
      await gather(tenantId, waiting)
      const batch = waiting.splice(0, size)
      const started = performance.now()
      try {
        await options.write(tenantId, batch)
        options.onRecorded(batch, (performance.now() - started) / 1000)
        size = Math.min(RECORD_AT_MOST, size * 2)
        tries = 0
      } catch (error) {
        options.onError(error)
        // One row that cannot be written must not hold up the others: half as many are tried, down to one alone.
        const given = batch.length === 1 && !options.isAway(error) && (tries += 1) >= TRIES
        if (given) tries = 0
        else waiting.unshift(...batch)
        size = Math.max(1, batch.length >> 1)
        await new Promise((resume) => setTimeout(resume, RETRY_MS))
      }
    }
    results.delete(tenantId)
    options.onSettled()
  }

  // A transaction costs as much as thirty rows in it: while more is in flight, a few milliseconds fill it.
  async function gather(tenantId: TenantId, waiting: Attempted[]): Promise<void> {
    await new Promise((resume) => setImmediate(resume))
    if (waiting.length >= GATHER_ROWS || !options.expectsMore()) return
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, GATHER_MS)
      gathering.set(tenantId, () => {
        clearTimeout(patience)
        resolve()
      })
    })
    gathering.delete(tenantId)
  }

  return {
    add(tenantId, attempted) {
      const waiting = results.get(tenantId)
      if (waiting) waiting.push(attempted)
      else {
        const fresh = [attempted]
        results.set(tenantId, fresh)
        void record(tenantId, fresh)
      }
      if (waiting && waiting.length >= GATHER_ROWS) gathering.get(tenantId)?.()
      if (!options.expectsMore()) for (const go of gathering.values()) go()
    },
    busy: () => results.size > 0,
  }
}
