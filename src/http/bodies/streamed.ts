import type { AppContext } from '../context.ts'

/**
 * Streams chunks as they are made. The ports live until the last chunk or until the client leaves. Then the generator
 * ends at its present step and runs its `finally`. If it throws, the connection is cut, so that half an answer never
 * looks whole.
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
          log.error(
            { err: error, requestId, route: c.get('route')?.operationId },
            'a streamed answer failed; its connection was cut',
          )
          if (!cancelled) cut(c, controller)
        }
        ended.resolve()
      },
      async cancel() {
        cancelled = true
        // Wait for the present chunk, because it may hold a transaction.
        await chunks.return(undefined).catch(() => {})
        ended.resolve()
      },
    },
    { highWaterMark: 0 },
  )
  return c.body(body, 200, headers)
}

// The server would write the error's message into the body and end it normally, so the socket is closed first.
function cut(c: AppContext, controller: ReadableStreamDefaultController<Uint8Array>): void {
  const outgoing = (c.env as { outgoing?: { destroy(): void } } | undefined)?.outgoing
  if (!outgoing) return controller.error(new Error('the answer was cut off'))
  outgoing.destroy()
  controller.close()
}
