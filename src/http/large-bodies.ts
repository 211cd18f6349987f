import { MIB } from './body.ts'
import { Problem } from './problem.ts'

const MOST_WAITING = 8
const RETRY_SECONDS = 5

const waiting: Array<() => void> = []
let busy = false

/**
 * Requests with large bodies are worked on one at a time, for what is read from one may take ten times its bytes of memory.
 * @throws Problem 503 where eight wait already.
 */
export async function inTurn<T>(bytes: Uint8Array, work: () => Promise<T>): Promise<T> {
  if (bytes.byteLength <= MIB) return work()
  if (busy && waiting.length >= MOST_WAITING) {
    const detail = 'This server is working on other large bodies. Nothing was stored; send it again in a moment.'
    throw new Problem(503, 'busy', { detail, retryAfter: RETRY_SECONDS })
  }
  if (busy) await new Promise<void>((resolve) => waiting.push(resolve))
  busy = true
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else busy = false
  }
}
