import { isLockTimeout } from '../../platform/database/database.ts'
import { DatabaseUnavailableError, NodeAwayError } from '../../platform/database/database-adapter.ts'
import { createBatcher, inOneTurn, type Batcher, type BatcherOptions } from '../../platform/database/batcher.ts'
import type { Write, Written } from './transaction.ts'

// The next write is prepared while one is answered.
const AT_ONCE = 2
const WRITES_AT_MOST = 32

interface Waiting {
  write: Write
  resolve(): void
  reject(error: unknown): void
}

export interface Writes {
  /** Commits one transaction, in one write with others. It succeeds or fails alone. */
  add(write: Write): Promise<void>
}

interface Ways {
  /** Runs some in order, up to the first failure. */
  together(writes: Write[]): Promise<Written>
  /** Runs one on its own connection, however long it waits for a lock. */
  alone(write: Write): Promise<void>
}

/**
 * Sends transactions of any tenants that are fully known in one write, so the server wakes once. One that waits for a
 * lock moves to its own connection and does not delay the others.
 */
export function createWrites(ways: Ways): Writes {
  // A look-up waits for no lock, so it waits for nobody who does, and starts at once.
  const reading = createLane(ways, (flush) => flush())
  const asking = createLane(ways, inOneTurn)
  const storing = createLane(ways, inOneTurn)
  const laneOf = ({ reach, statements }: Write) => {
    if (reach.role === 'tenant' && reach.reads) return reading
    return statements.some(({ on }) => on?.rows) ? asking : storing
  }
  return {
    add: (write) => new Promise((resolve, reject) => laneOf(write).add({ write, resolve, reject })),
  }
}

function createLane({ together, alone }: Ways, gather: BatcherOptions<Waiting>['gather']): Batcher<Waiting> {
  return createBatcher({
    most: () => WRITES_AT_MOST,
    atOnce: () => AT_ONCE,
    gather,
    async run(batch) {
      for (let left = batch; left.length > 0;) {
        const { committed, failure } = await together(left.map(({ write }) => write)).catch(
          (error: unknown): Written => ({ committed: 0, failure: { error } }),
        )
        left.slice(0, committed).forEach(({ resolve }) => resolve())
        if (failure === null) return
        // A node that is away fails only its own tenants.
        const away = failure.error instanceof DatabaseUnavailableError && !(failure.error instanceof NodeAwayError)
        const failed = left.slice(committed, away ? undefined : committed + 1)
        for (const { write, resolve, reject } of failed) {
          if (isLockTimeout(failure.error)) void alone(write).then(resolve, reject)
          else reject(failure.error)
        }
        left = left.slice(committed + failed.length)
      }
    },
  })
}
