import { createBatcher, type Batcher } from '../../../../platform/database/batcher.ts'
import { Register } from '../../../../platform/loop/registers.ts'
import type { TenantId } from '../../../../platform/ids.ts'

const BATCH_AT_MOST = 128
const WRITES_AT_ONCE = 2
const RETRY_MS = 500
// A row that the database refuses this often on its own is left to its lease.
const TRIES = 5
// A transaction costs as much as thirty rows in it, so a few milliseconds more are worth waiting. A crash repeats the
// attempts that ended in them.
const GATHER_MS = 20

export interface Recorder<Attempted> {
  add(tenantId: TenantId, attempted: Attempted): void
  /** Whether a result is not written yet. */
  busy(): boolean
}

interface Options<Attempted> {
  write(tenantId: TenantId, batch: Attempted[]): Promise<void>
  /** Whether an error says that the database is away, and nothing about the rows. */
  isAway(error: unknown): boolean
  onRecorded(batch: Attempted[], seconds: number): void
  onError(error: unknown): void
  /** A tenant's results are all written. */
  onSettled(): void
}

/** The results of one tenant that are not written yet. */
interface Lane<Attempted> {
  batcher: Batcher<Attempted>
  /** Rows of one write. */
  size: number
  /** Writes of one row alone that were refused. */
  refused: number
}

/**
 * Gathers results and writes them in batches, each tenant's in its own lane. After a refusal a lane is careful:
 *
 *     fast (full batches, two writes at once) ──refused──▶ careful (half the batch each time, one write at once)
 *       ▲                                                     │ written: twice as many
 *       └──────────────── full batches again ─────────────────┘
 *
 * So one row that cannot be written is soon alone, and holds up no other.
 */
export function createRecorder<Attempted>(options: Options<Attempted>): Recorder<Attempted> {
  const lanes = new Register<Lane<Attempted>>()
  let gathered: Array<() => void> = []

  // One timer for all tenants: results that are ready at one moment leave in one write of the adapter.
  function gather(flush: () => void): void {
    if (gathered.push(flush) > 1) return
    setTimeout(() => {
      const flushes = gathered
      gathered = []
      for (const each of flushes) each()
    }, GATHER_MS)
  }

  function createLane(tenantId: TenantId): Lane<Attempted> {
    const lane: Lane<Attempted> = {
      size: BATCH_AT_MOST,
      refused: 0,
      batcher: createBatcher({
        most: () => lane.size,
        atOnce: () => (lane.size < BATCH_AT_MOST ? 1 : WRITES_AT_ONCE),
        gather,
        run: (batch) => write(tenantId, lane, batch),
        onIdle() {
          lanes.delete(tenantId)
          options.onSettled()
        },
      }),
    }
    return lane
  }

  async function write(tenantId: TenantId, lane: Lane<Attempted>, batch: Attempted[]): Promise<void> {
    const started = performance.now()
    // Only a careful write shows that the lane may speed up: a full batch that left before a refusal says nothing.
    const isCareful = lane.size < BATCH_AT_MOST
    try {
      await options.write(tenantId, batch)
      options.onRecorded(batch, (performance.now() - started) / 1000)
      if (!isCareful) return
      lane.size = Math.min(BATCH_AT_MOST, lane.size * 2)
      lane.refused = 0
    } catch (error) {
      options.onError(error)
      if (!isGivenUp(lane, batch, error)) lane.batcher.putBack(batch)
      lane.size = Math.max(1, batch.length >> 1)
      await new Promise((resume) => setTimeout(resume, RETRY_MS))
    }
  }

  function isGivenUp(lane: Lane<Attempted>, batch: Attempted[], error: unknown): boolean {
    if (batch.length > 1 || options.isAway(error)) return false
    lane.refused = (lane.refused + 1) % TRIES
    return lane.refused === 0
  }

  return {
    add(tenantId, attempted) {
      const lane = lanes.get(tenantId) ?? createLane(tenantId)
      lanes.set(tenantId, lane)
      lane.batcher.add(attempted)
    },
    busy: () => lanes.size > 0,
  }
}
