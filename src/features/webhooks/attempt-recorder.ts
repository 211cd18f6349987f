import type { TenantId } from '../../platform/ids.ts'

const RECORD_AT_MOST = 128
const WRITES_AT_ONCE = 2
const RETRY_MS = 500
// A row that the database refuses this often on its own is left to its lease.
const TRIES = 5
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
  /** Whether more attempts of a tenant are on their way, and worth waiting for. */
  expectsMore(tenantId: TenantId): boolean
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
  /** Ends the waiting for more rows. */
  patience: NodeJS.Timeout | undefined
  looking: boolean
}

/** Writes what came of attempts in batches, of each tenant apart: what ends while one is written goes into the next one together. */
export function createAttemptRecorder<Attempted>(options: Options<Attempted>): AttemptRecorder<Attempted> {
  const lanes = new Map<TenantId, Lane<Attempted>>()

  // What ends in one turn of the event loop is looked at together.
  function look(lane: Lane<Attempted>): void {
    if (lane.looking) return
    lane.looking = true
    setImmediate(() => {
      lane.looking = false
      consider(lane)
    })
  }

  function consider(lane: Lane<Attempted>, patient = true): void {
    while (lane.waiting.length > 0 && lane.writing < (lane.size < RECORD_AT_MOST ? 1 : WRITES_AT_ONCE)) {
      // A transaction costs as much as thirty rows in it: while more is in flight, a few milliseconds fill it.
      if (patient && lane.waiting.length < lane.size && options.expectsMore(lane.tenantId)) {
        lane.patience ??= setTimeout(() => {
          lane.patience = undefined
          consider(lane, false)
        }, GATHER_MS)
        return
      }
      void write(lane, lane.waiting.splice(0, lane.size))
    }
    clearTimeout(lane.patience)
    lane.patience = undefined
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
    consider(lane)
    if (lane.writing > 0 || lane.waiting.length > 0) return
    lanes.delete(lane.tenantId)
    options.onSettled()
  }

  return {
    add(tenantId, attempted) {
      const lane = lanes.get(tenantId) ?? { tenantId, waiting: [], writing: 0, size: RECORD_AT_MOST, tries: 0, patience: undefined, looking: false }
      lanes.set(tenantId, lane)
      lane.waiting.push(attempted)
      if (lane.waiting.length >= lane.size || !options.expectsMore(tenantId)) for (const one of lanes.values()) look(one)
      else look(lane)
    },
    busy: () => lanes.size > 0,
  }
}
