import { forbidden, Problem } from '../../../http/problems/problem.ts'
import { type ChangeRow, ACCESS, TOPICS, type Topic } from '../../../platform/topics.ts'
import { countChanges, findChange, listChanges, listNewestIds } from '../../../platform/changes/changes.store.ts'
import { KEPT_MS, LATE_MS } from '../../../platform/changes/feed.ts'
import { cidrMatcher } from '../../../platform/networks.ts'
import { isUuid, lowestIdAt } from '../../../platform/ids.ts'
import type { Follower } from '../../../platform/ports/ports.ts'
import type { Principal } from '../../../platform/principal.ts'
import { heldBy } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { changeFrame, COMMENT, endFrame, merged, RESET, type EndReason } from './frames.ts'

const MOST_BACKLOG = 10_000
/**
 * Five hundred streams of a workspace keep so many ids each. A client that gets a change twice reads the same again.
 */
const MOST_OLD = 1_000
const COMMENT_MS = 15_000
const LONGEST_MS = 3_600_000
const MOST_BEHIND_BYTES = 1024 * 1024
const PIECE = 500
// A change of access is asked about within 5 s, and however many there are, no stream asks more often.
const LOOK_MS = 2_000

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

/** The changes that an earlier stream has not told: those after a row, up to another one. */
interface Missed {
  after: string
  at: Date
  until: string
}

interface Backlog {
  /** Null if they cannot be told whole. Absent if the stream goes on after none. */
  missed?: Missed | null
  /** The newest changes of the last moments, which a look of the feed may bring again. */
  oldIds: string[]
}

async function readBacklog(scope: Scope, lastEventId: string | null): Promise<Backlog> {
  return scope.read(async (tx) => {
    const now = scope.clock.now().getTime()
    const oldIds = await listNewestIds(tx, lowestIdAt(new Date(now - 2 * LATE_MS)), MOST_OLD)
    if (lastEventId === null) return { oldIds }
    const last = isUuid(lastEventId) ? await findChange(tx, lastEventId) : undefined
    if (!last || isForgotten(last.at, now)) return { missed: null, oldIds }
    const { n, until } = await countChanges(tx, lastEventId, MOST_BACKLOG + 1)
    if (n > MOST_BACKLOG) return { missed: null, oldIds }
    return until === null ? { oldIds } : { missed: { after: lastEventId, at: last.at, until }, oldIds }
  })
}

function isForgotten(at: Date, now: number): boolean {
  return at.getTime() <= now - KEPT_MS
}

/** The changes that the feed does not tell: those from before the stream, and those that it reads as missed ones. */
function idsToPass({ missed, oldIds }: Backlog, since: ChangeRow[]): Set<string> {
  const isMissed = (id: string) => missed != null && id > missed.after && id <= missed.until
  const fresh = new Set(since.flatMap(({ id }) => (isMissed(id) ? [] : [id])))
  return new Set([...oldIds, ...since.map(({ id }) => id)].filter((id) => !fresh.has(id)))
}

/** The state of a stream: what waits to be read, until it ends. */
function createStream(scope: Scope, { topics, token }: Asked) {
  const { clock, origin, tenantId } = scope
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
  let mayHaveLost = false
  let lookedAt = -Infinity
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
    if (found === null || found.tenantId !== tenantId) return end('session_ended')
    principal = found.principal
    const ranges = 'ipAllowlist' in principal ? principal.ipAllowlist : []
    if (ranges.length > 0 && !cidrMatcher(ranges)(origin?.ip ?? '')) return end('ip_not_allowed')
    if (lackingFor(principal, topics)) end('forbidden')
  }
  const owner = principal.type === 'user' ? principal.sessionId : 'id' in principal ? principal.id : ''
  const follower: Follower = {
    owner,
    changed(rows) {
      if (rows.some(({ topic }) => topic === ACCESS)) mayHaveLost = true
      if (before) return void before.push(...rows)
      for (const row of merged(rows.filter((each) => isFor(each) && !toldIds.has(each.id)))) write(changeFrame(row))
    },
    tick(now) {
      const ageMs = now.getTime() - beganAt
      if (ageMs >= LONGEST_MS) return end('expired')
      // No look of the feed reaches so far back, and an hour is long for thousands of ids.
      if (ageMs > 2 * LATE_MS) toldIds.clear()
      if (mayHaveLost && performance.now() - lookedAt >= LOOK_MS) {
        mayHaveLost = false
        lookedAt = performance.now()
        void lookAgain()
      }
      if (now.getTime() - wroteAt < COMMENT_MS) return
      write(COMMENT)
    },
    reset: () => write(RESET),
    end: () => end('shutdown'),
  }

  // Read when the client takes them, so nothing is kept for a client that does not read.
  async function* missedFrames({ after, at, until }: Missed): AsyncGenerator<string> {
    while (after < until && !isOver) {
      if (isForgotten(at, clock.now().getTime())) return yield RESET
      const from = after
      const rows = await scope.ports.lateReading.read(tenantId, (tx) => listChanges(tx, from, PIECE))
      const last = rows.at(-1)
      if (!last) return
      ;({ id: after, at } = last)
      yield rows
        .filter((row) => row.id <= until && isFor(row))
        .map(changeFrame)
        .join('')
    }
  }

  async function* frames(missed: Missed | null | undefined): AsyncGenerator<string> {
    // The first piece sends the headers.
    yield COMMENT
    if (missed === null) yield RESET
    if (missed) yield* missedFrames(missed)
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
    begin(left: () => void, backlog: Backlog) {
      leave = left
      if (isOver) left()
      const since = before ?? []
      // A change that was there before this stream is not told, though it comes late.
      toldIds = idsToPass(backlog, since)
      before = null
      follower.changed(since)
      const chunks = frames(backlog.missed)
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
