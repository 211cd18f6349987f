import pLimit from 'p-limit'
import { KIB, MIB, readBody } from './body.ts'
import { Problem } from '../problems/problem.ts'

const RETRY_SECONDS = 5

interface Limits {
  /** The most bodies that are read or processed at once. */
  atOnce: number
  atOncePerTenant: number
  /** The most requests that wait for a place. A waiting request holds at most the first MiB in memory. */
  waiting: number
  waitingPerTenant: number
}

/** Admits requests with a body of more than 1 MiB. */
export interface Places {
  /** @throws Problem 503 if too many requests wait. */
  enter(tenant: string, gone: AbortSignal): Promise<void>
  leave(tenant: string): void
  /** Runs one work at a time. Bodies only cost their bytes while they arrive, but ten times as much while in work. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export const LARGE_BODIES = createPlaces({ atOnce: 2, atOncePerTenant: 1, waiting: 8, waitingPerTenant: 3 })

export function createPlaces(limits: Limits): Places {
  const inside: string[] = []
  const waiting: Array<{ tenant: string; admit(): void }> = []
  const isFree = (tenant: string) => inside.length < limits.atOnce && countOf(inside, tenant) < limits.atOncePerTenant
  const isFull = (tenant: string) => {
    const tenants = waiting.map((one) => one.tenant)
    return tenants.length >= limits.waiting || countOf(tenants, tenant) >= limits.waitingPerTenant
  }
  return {
    run: pLimit(1),
    async enter(tenant, gone) {
      gone.throwIfAborted()
      if (isFree(tenant)) return void inside.push(tenant)
      if (isFull(tenant)) throw busy()
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          waiting.splice(waiting.indexOf(waiter), 1)
          reject(new Error('the client has gone'))
        }
        const waiter = {
          tenant,
          admit() {
            gone.removeEventListener('abort', giveUp)
            inside.push(tenant)
            resolve()
          },
        }
        gone.addEventListener('abort', giveUp, { once: true })
        waiting.push(waiter)
      })
    },
    leave(tenant) {
      inside.splice(inside.indexOf(tenant), 1)
      const next = waiting.findIndex((one) => isFree(one.tenant))
      if (next >= 0) waiting.splice(next, 1)[0]?.admit()
    },
  }
}

/**
 * Reads the body and runs the work. Past 1 MiB it first waits for a place, and the work waits for its turn.
 * @throws Problem 413 past the limit, 503 if too many requests wait.
 */
export async function inPlace<T>(
  places: Places,
  tenant: string,
  request: Request,
  limit: number,
  work: () => Promise<T>,
): Promise<T> {
  let entered = false
  const enter = async () => {
    await places.enter(tenant, request.signal)
    entered = true
  }
  try {
    await readBody(request, limit, { past: MIB, enter })
    return await (entered ? places.run(work) : work())
  } finally {
    if (entered) places.leave(tenant)
  }
}

function countOf(tenants: string[], tenant: string): number {
  return tenants.filter((one) => one === tenant).length
}

function busy(): Problem {
  const detail = 'This server is busy with other large bodies. Nothing was stored. Send it again in a moment.'
  return new Problem(503, 'busy', { detail, retryAfter: RETRY_SECONDS })
}

const PARSED_IN_TURN = 192 * KIB
const MOST_WAITING = 100
const turn = pLimit(1)

/** Parses and validates bodies past 192 KiB one at a time. @throws Problem 503 if too many wait. */
export async function parseInTurn<T>(bytes: Uint8Array, parse: () => Promise<T>): Promise<T> {
  if (bytes.byteLength <= PARSED_IN_TURN) return parse()
  if (turn.pendingCount >= MOST_WAITING) throw busy()
  return turn(parse)
}
