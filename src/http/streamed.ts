import type { AppContext } from './context.ts'

/**
 * Answers with chunks as they are made. The ports of the request live until the last chunk, or until the
 * client goes away: then the generator is ended where it stands, its `finally` included. A generator that
 * throws cuts the connection, so that nobody takes half an answer for a whole one.
 */
export function streamed(
  c: AppContext,
  chunks: AsyncGenerator<string | Uint8Array>,
  headers: Record<string, string>,
): Response {
  if (c.req.method === 'HEAD') return c.body(null, 200, headers)
  const ended = Promise.withResolvers<void>()
  c.set('bodyDone', ended.promise)
  const encoder = new TextEncoder()
  let cancelled = false
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next()
          if (cancelled) return
          if (!next.done)
            return controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value)
          controller.close()
        } catch (error) {
          const { log, requestId } = c.get('system')
          log.error({ err: error, requestId, route: c.get('route')?.operationId }, 'a streamed answer failed half-way')
          if (!cancelled) cut(c, controller)
        }
        ended.resolve()
      },
      async cancel() {
        cancelled = true
        // Waits for the chunk that is being made: it may hold a transaction.
        await chunks.return(undefined).catch(() => {})
        ended.resolve()
      },
    },
    { highWaterMark: 0 },
  )
  return c.body(body, 200, headers)
}

// The server would write an error's message into the body and end it properly: the socket goes first.
function cut(c: AppContext, controller: ReadableStreamDefaultController<Uint8Array>): void {
  const outgoing = (c.env as { outgoing?: { destroy(): void } } | undefined)?.outgoing
  if (!outgoing) return controller.error(new Error('the answer was cut off'))
  outgoing.destroy()
  controller.close()
}
