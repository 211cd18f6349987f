import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Begins a request only once the one before it on the same connection is answered, and not at all if that answer closed the
 * connection. Node begins pipelined requests at once, and would carry out those that can get no answer any more.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const latest = new WeakMap<Socket, ServerResponse>()
  return (incoming, outgoing) => {
    const { socket } = incoming
    const before = latest.get(socket)
    latest.set(socket, outgoing)
    const begin = () => {
      if (!socket.destroyed && !socket.writableEnded) listener(incoming, outgoing)
    }
    if (!before || before.closed) begin()
    else before.once('close', begin)
  }
}
