import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Starts a request only after the one before it on the connection was answered, and never if that answer closed the
 * connection. Node starts pipelined requests at once, even those that can no longer get an answer.
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
