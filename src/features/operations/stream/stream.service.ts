import { forbidden, Problem } from '../../../http/problems/problem.ts'
import { type ChangeRow, ACCESS, TOPICS, type Topic } from '../../../platform/changes/topics.ts'
import { findChange, listChanges } from '../../../platform/changes/changes.store.ts'
import { KEPT_MS, LATE_MS } from '../../../platform/changes/feed.ts'
import { cidrMatcher } from '../../../platform/networks.ts'
import { isUuid, lowestIdAt } from '../../../platform/ids.ts'
import type { Follower } from '../../../platform/ports/ports.ts'
import type { Principal } from '../../../platform/principal.ts'
import { heldBy } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { changeFrame, COMMENT, endFrame, merged, RESET, type EndReason } from './frames.ts'

const MOST_BACKLOG = 10_000
const COMMENT_MS = 15_000
const LONGEST_MS = 3_600_000
const MOST_BEHIND_BYTES = 1024 * 1024
const PIECE = 500

interface Asked {
  topics: Topic[]
  lastEventId: string | null
  token: string
}

/**
 * Opens a stream of what changes in the workspace. It holds no connection to the database.
 * @throws Problem 403 without the permission of a topic's list, 429 `too_many_streams`.
 */
export async function openStream(scope: Scope, asked: Asked): Promise<ReadableStream<Uint8Array>> {
  const lacking = lackingFor(scope.principal, asked.topics)
  if (lacking) throw forbidden(lacking)
  const stream = createStream(scope, asked)
  const leave = await scope.ports.changes.follow(scope.tenantId, stream.follower)
  if (leave === null)
    throw new Problem(429, 'too_many_streams', {
      detail: 'A session or a key can hold 8 streams, and a workspace 500. Close one, then open another.',
      retryAfter: 10,
    })
  try {
    return stream.begin(leave, await readBacklog(scope, asked.lastEventId))
  } catch (error) {
    leave()
    throw error
  }
}

function lackingFor(principal: Principal, topics: Topic[]) {
  const held = heldBy(principal)
  return topics.map((topic) => TOPICS[topic]).find((needed) => needed !== null && !held.has(needed)) ?? null
}

/** The changes that an earlier stream has not told; null if they cannot be told whole. Without one, those to leave out. */
async function readBacklog(
  scope: Scope,
  lastEventId: string | null,
): Promise<{ missed: ChangeRow[] | null; old: ChangeRow[] }> {
  return scope.read(async (tx) => {
    const now = scope.clock.now().getTime()
    const old = await listChanges(tx, lowestIdAt(new Date(now - 2 * LATE_MS)), MOST_BACKLOG)
    if (lastEventId === null) return { missed: [], old }
    const last = isUuid(lastEventId) ? await findChange(tx, lastEventId) : undefined
    if (!last || last.at.getTime() <= now - KEPT_MS) return { missed: null, old }
    const missed = await listChanges(tx, lastEventId, MOST_BACKLOG + 1)
    return missed.length > MOST_BACKLOG ? { missed: null, old } : { missed, old }
  })
}

/** The state of a stream: what waits to be read, until it ends. */
function createStream(scope: Scope, { topics, token }: Asked) {
  const { clock, origin } = scope
  const changes = scope.ports.changes
  const wanted = new Set<string>(topics)
  const beganAt = clock.now().getTime()
  const encoder = new TextEncoder()
  let principal = scope.principal
  let before: ChangeRow[] | null = []
  let toldIds = new Set<string>()
  let wroteAt = beganAt
  let waiting: string[] = []
  let bytes = 0
  let isOver = false
  let wake = () => {}
  let leave = () => {}

  const write = (text: string) => {
    if (isOver) return
    waiting.push(text)
    bytes += text.length
    wroteAt = clock.now().getTime()
    if (bytes > MOST_BEHIND_BYTES) end('slow')
    wake()
  }
  const end = (reason: EndReason) => {
    if (isOver) return
    waiting.push(endFrame(reason))
    isOver = true
    leave()
    wake()
  }
  const isFor = ({ topic, user_id, permission }: ChangeRow) => {
    if (!wanted.has(topic)) return false
    if (user_id === null && permission === null) return true
    const isOwn = principal.type === 'user' && principal.id === user_id
    return isOwn || (permission !== null && heldBy(principal).has(permission))
  }
  const lookAgain = async () => {
    const found = await changes.authenticate(token, origin).catch(() => undefined)
    // The database did not answer: the next look decides.
    if (found === undefined) return
    if (found === null || found.tenantId !== scope.tenantId) return end('session_ended')
    principal = found.principal
    const ranges = 'ipAllowlist' in principal ? principal.ipAllowlist : []
    if (ranges.length > 0 && !cidrMatcher(ranges)(origin?.ip ?? '')) return end('ip_not_allowed')
    if (lackingFor(principal, topics)) end('forbidden')
  }
  const owner = principal.type === 'user' ? principal.sessionId : 'id' in principal ? principal.id : ''
  const follower: Follower = {
    owner,
    changed(rows) {
      if (rows.some(({ topic }) => topic === ACCESS)) void lookAgain()
      if (before) return void before.push(...rows)
      for (const row of merged(rows.filter((each) => isFor(each) && !toldIds.has(each.id)))) write(changeFrame(row))
    },
    tick(now) {
      if (now.getTime() - beganAt >= LONGEST_MS) return end('expired')
      if (now.getTime() - wroteAt < COMMENT_MS) return
      write(COMMENT)
    },
    reset: () => write(RESET),
    end: () => end('shutdown'),
  }

  async function* frames(missed: ChangeRow[] | null): AsyncGenerator<string> {
    // The first piece sends the headers.
    yield COMMENT
    if (missed === null) yield RESET
    const rows = (missed ?? []).filter(isFor)
    for (let at = 0; at < rows.length; at += PIECE)
      yield rows
        .slice(at, at + PIECE)
        .map(changeFrame)
        .join('')
    for (;;) {
      const text = waiting.join('')
      waiting = []
      bytes = 0
      if (text !== '') yield text
      else if (isOver) return
      else await new Promise<void>((resume) => (wake = resume))
    }
  }

  return {
    follower,
    begin(left: () => void, { missed, old }: { missed: ChangeRow[] | null; old: ChangeRow[] }) {
      leave = left
      if (isOver) left()
      const since = before ?? []
      const mine = new Set(since.map(({ id }) => id))
      // A change that was there before this stream is not told, though it comes late.
      toldIds = new Set([...old.filter(({ id }) => !mine.has(id)), ...(missed ?? [])].map(({ id }) => id))
      before = null
      follower.changed(since)
      const chunks = frames(missed)
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const next = await chunks.next()
            if (next.done) controller.close()
            else controller.enqueue(encoder.encode(next.value))
          },
          cancel() {
            isOver = true
            leave()
            wake()
          },
        },
        { highWaterMark: 0 },
      )
    },
  }
}
