import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Roster } from '../../platform/loop/registers.ts'
import { networkOf } from '../../platform/networks.ts'
import { refuseUnread } from '../problems/edge-problems.ts'

const MOST_BYTES = 64 * 1024 * 1024
const LOOK_MS = 1_000
/** An answer of which a client takes nothing for so long has no reader. */
const GONE_MS = 30_000
/** The same while the answers that nobody reads need more than their room. */
const PRESSED_MS = 2_000
const FRESH_MS = 100

interface Answer {
  outgoing: ServerResponse
  leave(): void
  /** Bytes that the client has not taken, and since when they are so many. */
  left: number
  since: number
}

/**
 * Bounds what clients leave unread. An answer without a reader ends with its connection, and a network that leaves a
 * quarter of the room unread gets no other answer until then.
 */
export function endUnread(listener: RequestListener): RequestListener {
  // In the order of their start.
  const open = new Roster<Answer>()
  let timer: NodeJS.Timeout | null = null
  let lookedAt = 0
  let total = 0

  function look(): void {
    const now = performance.now()
    lookedAt = now
    total = 0
    for (const answer of open) {
      const { outgoing } = answer
      const left = leftOf(outgoing.socket)
      if (left === 0 || left < answer.left) answer.since = now
      answer.left = left
      total += heldBy(outgoing)
      if (now - answer.since >= GONE_MS) end(answer)
    }
    for (const answer of open) if (total > MOST_BYTES && now - answer.since >= PRESSED_MS) end(answer)
  }

  function end({ outgoing, leave }: Answer): void {
    total -= heldBy(outgoing)
    leave()
    outgoing.socket?.destroy()
  }

  function hasNoRoom(socket: Socket): boolean {
    if (performance.now() - lookedAt >= FRESH_MS) look()
    if (total <= MOST_BYTES) return false
    const network = networkOf(socket.remoteAddress ?? '')
    const own = Array.from(open, ({ outgoing }) => outgoing).filter(
      (other) => networkOf(other.socket?.remoteAddress ?? '') === network,
    )
    return own.reduce((sum, other) => sum + heldBy(other), 0) > MOST_BYTES / 4
  }

  return (incoming, outgoing) => {
    if (hasNoRoom(incoming.socket)) return refuseUnread(outgoing)
    const leave = () => void open.leave(place)
    const place = open.add({ outgoing, leave, left: 0, since: performance.now() })
    timer ??= setInterval(look, LOOK_MS).unref()
    outgoing.once('close', () => {
      leave()
      if (open.size > 0 || timer === null) return
      clearInterval(timer)
      timer = null
    })
    listener(incoming, outgoing)
  }
}

/** Bytes in memory for an answer. */
function heldBy({ socket }: ServerResponse): number {
  return socket?.writableLength ?? 0
}

// A whole answer is one write, whose progress only the handle knows.
function leftOf(socket: Socket | null): number {
  const { _handle } = (socket ?? {}) as { _handle?: { writeQueueSize?: number } | null }
  return (socket?.writableLength ?? 0) + (_handle?.writeQueueSize ?? 0)
}
