import type { IncomingMessage } from 'node:http'

// A client that writes everything before it reads gets its answer up to this size. A larger one is cut off.
const READ_AT_MOST = 16 * 1024 * 1024
const LINGER_MS = 2_000

/**
 * Sends a whole answer to a client that is still sending. The server drops at most 16 MiB, for at most 2 seconds, and
 * then closes. Closing at once would reset the connection and lose the answer.
 */
export function answerWhileReceiving(answer: Response, incoming: IncomingMessage | undefined, body: string): Response {
  const headers = new Headers(answer.headers)
  headers.set('Connection', 'close')
  if (!incoming || incoming.complete) return new Response(body, { status: answer.status, headers })
  headers.set('Content-Length', String(Buffer.byteLength(body)))
  let sent = false
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!sent) {
          sent = true
          return controller.enqueue(new TextEncoder().encode(body))
        }
        await received(incoming)
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(stream, { status: answer.status, headers })
}

/** Resolves when the body has ended, its sender has gone, or the time is up. */
function received(incoming: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    const done = () => {
      clearTimeout(timer)
      incoming.off('data', count)
      resolve()
    }
    // Past the limit the sender waits, but it already has the answer.
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > READ_AT_MOST) incoming.pause()
    }
    const timer = setTimeout(done, LINGER_MS)
    for (const event of ['end', 'close', 'error']) incoming.once(event, done)
    // The code that read the body up to its limit would pause it again.
    incoming.removeAllListeners('data')
    incoming.on('data', count)
    incoming.resume()
    if (incoming.complete || incoming.destroyed) done()
  })
}
