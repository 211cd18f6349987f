import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { createRounds, type Rounds } from '../../platform/loop/rounds.ts'
import { nextTurn } from '../../platform/loop/turns.ts'
import { networkOf } from '../../platform/networks.ts'
import { refuseHeldBody, refusePipelined, refuseTinyChunks } from '../problems/edge-problems.ts'
import { unfinishedBodies } from './body-budget.ts'
import { endUnread } from './unread-answers.ts'

/** Larger bodies are read by the code that knows their limit. */
export const WAITED_FOR_AT_MOST = 256 * 1024
const FIRST_BYTES = 1024
// Each chunk costs as much as its frame of at least 5 bytes, however small it is. Lines of a file stay far below.
const FRAMES_FREE = 8 * 1024
const FRAME_BYTES_A_BYTE = 2
// Requests of one connection that wait for the answer to an earlier one, and the bytes of their heads.
const MOST_WAITING = 16
const MOST_HEAD_BYTES = 32 * 1024

/**
 * A Node server that starts a request once its body is complete, in `rawBody` for @hono/node-server. A slow body then
 * costs its bytes and a socket, not a request in progress. Node ends bodies that are too slow or longer than declared.
 * A chunked body whose frames outweigh it is answered with 400, and a waiting one with 408 if others need its room.
 */
export const createWholeServer = ((options: ServerOptions, listener: RequestListener) =>
  createServer(options, oneAtATime(onceWhole(createRounds(), endUnread(listener))))) as typeof createServer

/** Requests that come together begin in several rounds of the event loop. Networks take turns. */
function onceWhole(rounds: Rounds, listener: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const { socket } = incoming
    const network = () => networkOf(socket.remoteAddress ?? '')
    const beginInRound = (work: () => void) =>
      rounds.begin(network, () => {
        if (isOpen(socket)) work()
      })
    const declared = lengthOf(incoming)
    if (declared === 0 || !(declared <= WAITED_FOR_AT_MOST)) return beginInRound(() => listener(incoming, outgoing))
    const before = socket.bytesRead
    // Pieces are copied into one buffer, because each would keep its own buffer alive.
    let bytes: Buffer = Buffer.alloc(0)
    let length = 0
    const end = () => {
      held.release()
      return incoming.off('readable', take).off('end', begin)
    }
    let isGivenUp = false
    const held = unfinishedBodies.begin(network(), () => {
      isGivenUp = true
      end()
      bytes = Buffer.alloc(0)
      refuseHeldBody(outgoing)
    })
    // A whole body gives way too while it waits for its round.
    const begin = () =>
      beginInRound(() => {
        if (isGivenUp) return
        held.release()
        ;(incoming as IncomingMessage & { rawBody?: Buffer }).rawBody = bytes.subarray(0, length)
        listener(incoming, outgoing)
      })
    // All that has come since is one piece, so that a chunk of one byte costs no event.
    const take = () => {
      const piece = incoming.read() as Buffer | null
      if (piece === null) return
      if (length === 0 && piece.length === declared) bytes = piece
      else {
        if (length + piece.length > bytes.length) bytes = grown(bytes, length + piece.length)
        piece.copy(bytes, length)
      }
      length += piece.length
      held.add(piece.length)
      if (isGivenUp) return
      const frames = socket.bytesRead - before - length
      if (!incoming.complete && frames > FRAMES_FREE + FRAME_BYTES_A_BYTE * length) {
        end()
        refuseTinyChunks(outgoing)
      } else if (length > WAITED_FOR_AT_MOST) {
        end().pause()
        incoming.unshift(bytes.subarray(0, length))
        beginInRound(() => listener(incoming, outgoing))
      }
    }
    incoming.on('readable', take).once('end', begin)
    // The body itself closes once it is whole.
    outgoing.once('close', held.release)
  }
}

/** Whether an answer can be written. */
function isOpen(socket: Socket): boolean {
  return !socket.destroyed && !socket.writableEnded
}

/** The bytes that a body has, or may have at least. */
function lengthOf({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 1
}

function grown(bytes: Buffer, needed: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, bytes.length * 2, needed))
  bytes.copy(larger)
  return larger
}

/** The requests of a connection. */
interface Line {
  /** Null once it has ended, so that an idle connection keeps nothing of its last request. */
  latest: ServerResponse | null
  waiting: number
  headBytes: number
}

/**
 * Starts a request only after the one before it on the connection was answered, and never if that answer closed the
 * connection. Node starts pipelined requests at once, even those that can no longer get an answer. If too many wait,
 * the next is answered with 503 in its turn, and the connection ends.
 */
function oneAtATime(listener: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, Line>()
  return (incoming, outgoing) => {
    const { socket } = incoming
    const line = lines.get(socket) ?? { latest: null, waiting: 0, headBytes: 0 }
    const before = line.latest
    const begin = () => {
      if (isOpen(socket)) listener(incoming, outgoing)
    }
    lines.set(socket, line)
    line.latest = outgoing
    outgoing.once('close', () => {
      if (line.latest === outgoing) line.latest = null
    })
    if (!before || before.closed) return begin()
    const bytes = headBytesOf(incoming)
    if (line.waiting === MOST_WAITING || line.headBytes + bytes > MOST_HEAD_BYTES) {
      parseNoMore(socket)
      return refusePipelined(outgoing)
    }
    line.waiting += 1
    line.headBytes += bytes
    // Answers that wait for nothing would otherwise all be made in one round of the event loop.
    before.once('close', () =>
      nextTurn().then(() => {
        line.waiting -= 1
        line.headBytes -= bytes
        begin()
      }),
    )
  }
}

function headBytesOf({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length, url.length)
}

/**
 * Node parses all that it has read, thousands of requests, even if the connection has ended. This answer to a head
 * means that the connection leaves HTTP, and Node parses nothing behind it.
 */
function parseNoMore(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } | null }
  if (parser) parser.onIncoming = () => LEAVES_HTTP
}

const LEAVES_HTTP = 2
