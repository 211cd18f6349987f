import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'

/** Larger bodies, and those of unknown length, are read by the code that knows their limit. */
const WAITED_FOR_AT_MOST = 256 * 1024
const FIRST_BYTES = 1024

/**
 * A Node server that starts a request once its body is complete, in `rawBody` for @hono/node-server. A slow body then
 * costs its bytes and a socket, not a request in progress. Node ends bodies that are too slow or longer than declared.
 */
export const createWholeServer = ((options: ServerOptions, listener: RequestListener) =>
  createServer(options, oneAtATime(onceWhole(listener)))) as typeof createServer

function onceWhole(listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const declared = Number(incoming.headers['content-length'] ?? 0)
    if (declared === 0 || !(declared <= WAITED_FOR_AT_MOST)) return listener(incoming, outgoing)
    // Chunks are copied into one buffer, because each would keep its own buffer alive.
    let bytes: Buffer = Buffer.alloc(0)
    let length = 0
    incoming.on('data', (chunk: Buffer) => {
      if (length === 0 && chunk.length === declared) bytes = chunk
      else {
        if (length + chunk.length > bytes.length) bytes = grown(bytes, length + chunk.length)
        chunk.copy(bytes, length)
      }
      length += chunk.length
    })
    incoming.once('end', () => {
      ;(incoming as IncomingMessage & { rawBody?: Buffer }).rawBody = bytes.subarray(0, length)
      listener(incoming, outgoing)
    })
  }
}

function grown(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, bytes.length * 2, needed))
  bytes.copy(larger)
  return larger
}

/**
 * Starts a request only after the one before it on the connection was answered, and never if that answer closed the
 * connection. Node starts pipelined requests at once, even those that can no longer get an answer.
 */
function oneAtATime(listener: RequestListener): RequestListener {
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
