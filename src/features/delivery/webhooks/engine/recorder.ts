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
  tenantId: TenantId
  waiting: Attempted[]
  writing: number
  /** Rows of one write. */
  size: number
  /** Writes of one row alone that were refused. */
  refused: number
}

/**
 * Gathers results and writes them in batches, each tenant's in its own lane. A lane writes as soon as it has a full
 * batch, and its rest with the next gathering. After a refusal it is careful:
 *
 *     fast (full batches, two writes at once) ──refused──▶ careful (half the batch each time, one write at once)
 *       ▲                                                     │ written: twice as many
 *       └──────────────── full batches again ─────────────────┘
 *
 * So one row that cannot be written is soon alone, and holds up no other.
 */
export function createRecorder<Attempted>(options: Options<Attempted>): Recorder<Attempted> {
  const lanes = new Map<TenantId, Lane<Attempted>>()
  let gathering: NodeJS.Timeout | undefined

  // One timer for all tenants: results that are ready at one moment leave in one write of the adapter.
  function gather(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined
      for (const lane of lanes.values()) writeFrom(lane, 1)
    }, GATHER_MS)
  }

  function writeFrom(lane: Lane<Attempted>, atLeast: number): void {
    const atOnce = lane.size < BATCH_AT_MOST ? 1 : WRITES_AT_ONCE
    while (lane.waiting.length >= atLeast && lane.writing < atOnce) {
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
      if (lane.writing === 1) lane.size = Math.min(BATCH_AT_MOST, lane.size * 2)
      lane.refused = 0
    } catch (error) {
      options.onError(error)
      if (!isGivenUp(lane, batch, error)) lane.waiting.unshift(...batch)
      lane.size = Math.max(1, batch.length >> 1)
      await new Promise((resume) => setTimeout(resume, RETRY_MS))
    }
    lane.writing -= 1
    writeFrom(lane, lane.size)
    if (lane.writing > 0 || lane.waiting.length > 0) return
    lanes.delete(lane.tenantId)
    options.onSettled()
  }

  function isGivenUp(lane: Lane<Attempted>, batch: Attempted[], error: unknown): boolean {
    if (batch.length > 1 || options.isAway(error)) return false
    lane.refused = (lane.refused + 1) % TRIES
    return lane.refused === 0
  }

  return {
    add(tenantId, attempted) {
      const lane = lanes.get(tenantId) ?? { tenantId, waiting: [], writing: 0, size: BATCH_AT_MOST, refused: 0 }
      lanes.set(tenantId, lane)
      lane.waiting.push(attempted)
      writeFrom(lane, lane.size)
    },
    busy: () => lanes.size > 0,
  }
}
