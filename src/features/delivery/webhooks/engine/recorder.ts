import type { TenantId } from '../../../../platform/ids.ts'

const RECORD_AT_MOST = 128
const WRITES_AT_ONCE = 2
const RETRY_MS = 500
// A row that the database refuses this often on its own is left to its lease.
const TRIES = 5
// A transaction costs as much as thirty rows in it, so a few milliseconds are waited for more; a crash repeats what ended in them.
const GATHER_MS = 20

export interface AttemptRecorder<Attempted> {
  add(tenantId: TenantId, attempted: Attempted): void
  /** Whether something was not written yet. */
  busy(): boolean
}

interface Options<Attempted> {
  write(tenantId: TenantId, batch: Attempted[]): Promise<void>
  /** Whether an error says that the database is away, and nothing about the rows. */
  isAway(error: unknown): boolean
  onRecorded(batch: Attempted[], seconds: number): void
  onError(error: unknown): void
  /** A tenant has nothing left to be written. */
  onSettled(): void
}

interface Lane<Attempted> {
  tenantId: TenantId
  waiting: Attempted[]
  writing: number
  /** How many rows one transaction takes: fewer once one was refused. */
  size: number
  tries: number
}

/** Writes what came of attempts in batches, of each tenant apart: what ends while one is written goes into the next one together. */
export function createAttemptRecorder<Attempted>(options: Options<Attempted>): AttemptRecorder<Attempted> {
  const lanes = new Map<TenantId, Lane<Attempted>>()
  let gathering: NodeJS.Timeout | undefined

  // Of all tenants together: what is ready at one moment leaves in one write.
  function gather(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined
      for (const lane of lanes.values()) consider(lane, 1)
    }, GATHER_MS)
  }

  function consider(lane: Lane<Attempted>, atLeast: number): void {
    while (lane.waiting.length >= atLeast && lane.writing < (lane.size < RECORD_AT_MOST ? 1 : WRITES_AT_ONCE)) {
      void write(lane, lane.waiting.splice(0, lane.size))
    }
    if (lane.waiting.length > 0) gather()
  }

  async function write(lane: Lane<Attempted>, batch: Attempted[]): Promise<void> {
    lane.writing += 1
    const started = performance.now()
    try {
      await options.write(lane.tenantId, batch)
      options.onRecorded(batch, (performance.now() - started) / 1000)
      if (lane.writing === 1) lane.size = Math.min(RECORD_AT_MOST, lane.size * 2)
      lane.tries = 0
    } catch (error) {
      options.onError(error)
      // One row that cannot be written must not hold up the others: half as many are tried, down to one alone.
      const given = batch.length === 1 && !options.isAway(error) && (lane.tries += 1) >= TRIES
      if (given) lane.tries = 0
      else lane.waiting.unshift(...batch)
      lane.size = Math.max(1, batch.length >> 1)
      await new Promise((resume) => setTimeout(resume, RETRY_MS))
    }
    lane.writing -= 1
    consider(lane, lane.size)
    if (lane.writing > 0 || lane.waiting.length > 0) return
    lanes.delete(lane.tenantId)
    options.onSettled()
  }

  return {
    add(tenantId, attempted) {
      const lane = lanes.get(tenantId) ?? { tenantId, waiting: [], writing: 0, size: RECORD_AT_MOST, tries: 0 }
      lanes.set(tenantId, lane)
      lane.waiting.push(attempted)
      consider(lane, lane.size)
    },
    busy: () => lanes.size > 0,
  }
}
