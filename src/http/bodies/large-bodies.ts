import pLimit from 'p-limit'
import { createFairQueue, type FairQueue } from '../../platform/loop/fair-queue.ts'
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

/** Admits requests with a body of more than 1 MiB. The tenant whose last turn is longest ago comes first. */
export interface Places {
  /** @throws Problem 503 if too many requests wait. */
  enter(tenant: string, gone: AbortSignal): Promise<void>
  leave(tenant: string): void
  /** Whether somebody waits who could have the place of this tenant. */
  isWanted(tenant: string): boolean
  /** Runs one work at a time. Bodies only cost their bytes while they arrive, but ten times as much while in work. */
  run<T>(work: () => Promise<T>): Promise<T>
}

interface Waiter {
  tenant: string
  admit(): void
  refuse(): void
}

const MOST_TURNS = 1_000

export const LARGE_BODIES = createPlaces({ atOnce: 2, atOncePerTenant: 1, waiting: 8, waitingPerTenant: 3 })

export function createPlaces(limits: Limits): Places {
  const inside: string[] = []
  const waiting: Waiter[] = []
  /** Tenants in the order of their last turn, the latest last. */
  const turns = new Set<string>()
  const isFree = (tenant: string) => inside.length < limits.atOnce && countOf(inside, tenant) < limits.atOncePerTenant
  const countWaiting = (tenant: string) => waiting.filter((one) => one.tenant === tenant).length
  const begin = (tenant: string) => {
    inside.push(tenant)
    turns.delete(tenant)
    turns.add(tenant)
    for (const oldest of turns) if (turns.size > MOST_TURNS) turns.delete(oldest)
  }
  /** Makes room for a tenant of whom nobody waits, by the latest of a tenant of whom more than one does. */
  const makeRoom = (tenant: string) => {
    if (waiting.length < limits.waiting) return true
    if (countWaiting(tenant) > 0) return false
    const last = waiting.findLast((one) => countWaiting(one.tenant) > 1)
    last?.refuse()
    return last !== undefined
  }
  const lastTurnOf = (tenant: string) => [...turns].indexOf(tenant)
  return {
    run: pLimit(1),
    async enter(tenant, gone) {
      gone.throwIfAborted()
      if (isFree(tenant)) return begin(tenant)
      if (countWaiting(tenant) >= limits.waitingPerTenant || !makeRoom(tenant)) throw busy()
      await new Promise<void>((resolve, reject) => {
        const end = (act: () => void) => {
          waiting.splice(waiting.indexOf(waiter), 1)
          gone.removeEventListener('abort', giveUp)
          act()
        }
        const giveUp = () => end(() => reject(new Error('the client has gone')))
        const waiter: Waiter = {
          tenant,
          admit: () =>
            end(() => {
              begin(tenant)
              resolve()
            }),
          refuse: () => end(() => reject(busy())),
        }
        gone.addEventListener('abort', giveUp, { once: true })
        waiting.push(waiter)
      })
    },
    isWanted: (tenant) =>
      waiting.some((one) => one.tenant === tenant || countOf(inside, one.tenant) < limits.atOncePerTenant),
    leave(tenant) {
      inside.splice(inside.indexOf(tenant), 1)
      const [next] = waiting
        .filter((one) => isFree(one.tenant))
        .toSorted((a, b) => lastTurnOf(a.tenant) - lastTurnOf(b.tenant))
      next?.admit()
    },
  }
}

/**
 * Reads the body and runs the work. Past 1 MiB it first waits for a place, and the work waits for its turn.
 * @throws Problem 408 for a body that hardly comes, 413 past the limit, 503 if too many requests wait.
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
    await readBody(request, limit, { past: MIB, enter, isWanted: () => places.isWanted(tenant) })
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

// Parsing a KiB takes up to 130 µs, and what it becomes up to thirty times the memory.
const PARSED_AT_ONCE = 16 * KIB
const LARGE = 192 * KIB

/** Bodies that wait to be parsed one at a time. */
interface Line {
  waiting: FairQueue<() => Promise<void>>
  isBusy: boolean
}

const largeOnes: Line = { waiting: createFairQueue(100), isBusy: false }
// A connection has one at most. Those of clients that have left take no time.
const middlingOnes: Line = { waiting: createFairQueue(Infinity), isBusy: false }

/**
 * Parses and validates bodies past 16 KiB one at a time, and those past 192 KiB in a line of their own. Askers take
 * turns.
 * @param gone says that the client has left, so that nobody waits for the body.
 * @throws Problem 503 if too many large ones wait.
 */
export function parseInTurn<T>(
  of: () => string,
  { bytes, gone }: { bytes: Uint8Array; gone: () => AbortSignal },
  parse: () => Promise<T>,
): Promise<T> {
  if (bytes.byteLength <= PARSED_AT_ONCE) return parse()
  const line = bytes.byteLength > LARGE ? largeOnes : middlingOnes
  // A signal that is made after its connection has closed never says so.
  const signal = gone()
  return new Promise<T>((resolve, reject) => {
    const work = async () => {
      if (signal.aborted) return reject(busy())
      try {
        resolve(await parse())
      } catch (error) {
        reject(error)
      }
    }
    if (!line.waiting.push(of(), work)) return reject(busy())
    if (!line.isBusy) void parseNext(line)
  })
}

async function parseNext(line: Line): Promise<void> {
  line.isBusy = true
  for (let work = line.waiting.next(); work !== null; work = line.waiting.next()) await work()
  line.isBusy = false
}
