import { KIB, MIB } from './body.ts'
import { Problem } from './problem.ts'

const RETRY_SECONDS = 5

/** Where bodies past a size wait for each other. */
export interface Lane {
  readonly pastBytes: number
  readonly mostWaiting: number
  readonly waiting: Array<() => void>
  busy: boolean
}

/** From the first byte that is parsed to the answer: lists of thousands of people. */
export const WHOLE_REQUESTS: Lane = { pastBytes: MIB, mostWaiting: 8, waiting: [], busy: false }
/** While it is parsed and validated: a survey is not to wait for 20,000 invitations. */
export const PARSING: Lane = { pastBytes: 192 * KIB, mostWaiting: 100, waiting: [], busy: false }

/**
 * Large bodies are worked on one at a time, for what is read from one may take ten times its bytes of memory.
 * @throws Problem 503 where too many wait already.
 */
export async function inTurn<T>(lane: Lane, bytes: Uint8Array, work: () => Promise<T>): Promise<T> {
  if (bytes.byteLength <= lane.pastBytes) return work()
  if (lane.busy && lane.waiting.length >= lane.mostWaiting) {
    const detail = 'This server is working on other large bodies. Nothing was stored; send it again in a moment.'
    throw new Problem(503, 'busy', { detail, retryAfter: RETRY_SECONDS })
  }
  if (lane.busy) await new Promise<void>((resolve) => lane.waiting.push(resolve))
  lane.busy = true
  try {
    return await work()
  } finally {
    const next = lane.waiting.shift()
    if (next) next()
    else lane.busy = false
  }
}
