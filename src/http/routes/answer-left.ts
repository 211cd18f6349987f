import type { ServerResponse } from 'node:http'
import type { AppContext } from './context.ts'

// A client that never reads its answer would otherwise hold a database connection until it goes away.
const WAIT_AT_MOST_MS = 100

/**
 * Resolves when nobody needs the request's ports any more: a streamed body has ended, or the answer has left. It waits
 * at most 100 ms for a slow client. Null if there is nothing to wait for.
 */
export function answerHasLeft(c: AppContext): Promise<void> | null {
  const streamed = c.get('bodyDone')
  const outgoing = (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing
  if (!outgoing || outgoing.closed) return streamed ?? null
  return streamed ? streamed.then(() => leftOrLate(outgoing)) : leftOrLate(outgoing)
}

function leftOrLate(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.closed || outgoing.writableFinished) return resolve()
    const done = () => {
      clearTimeout(timer)
      outgoing.off('finish', done).off('close', done)
      resolve()
    }
    const timer = setTimeout(done, WAIT_AT_MOST_MS)
    outgoing.on('finish', done).on('close', done)
  })
}
