import { createBatcher, inOneTurn, type Batcher } from '../../platform/database/batcher.ts'
import { Register } from '../../platform/loop/registers.ts'
import { isLockTimeout } from '../../platform/database/database.ts'
import {
  type AtCommit,
  type ClosingStatement,
  type Connection,
  DatabaseUnavailableError,
  type QueryResult,
} from '../../platform/database/database-adapter.ts'

/** A unit of work inside a transaction. */
export type Work<T> = (connection: Connection) => Promise<T>

/** Runs work in a transaction. A `shared` one waits only briefly for a lock. */
type Transact = <T>(work: Work<T>, shared?: boolean) => Promise<T>

// The next group is prepared while one commits.
const AT_ONCE = 2
const MEMBERS_AT_MOST = 32
// The most works of one tenant that wait alone for a lock. The other connections are for others.
const ALONE_AT_ONCE = 4
// Statements of this form write nothing.
const READS = /^\s*select\b(?!\s+app\.)/i
const LOCKS = /\bfor\s+(?:no\s+key\s+)?(?:update|key\s+share|share)\b/i

interface Member {
  /** The lock's name. Works with the same name run one at a time, because no lock separates them in one transaction. */
  locks: string | undefined
  work: Work<unknown>
  transact: Transact
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Queue {
  together: Batcher<Member>
  /** Members of broken groups, each in its own transaction. */
  alone: Batcher<Member>
}

interface Outcome {
  member: Member
  result?: unknown
  /** Undefined if the work succeeded. */
  failure?: { error: unknown }
  atCommit: ClosingStatement[]
}

/** The members of a group cannot be separated any more. Nothing of the group is stored. */
class GroupBrokenError extends Error {}

export interface Groups {
  /**
   * Runs work in one transaction with waiting works of the same key. Each succeeds or fails as it would alone: if one
   * breaks their transaction, each runs again in its own.
   */
  join<T>(key: string, member: { locks: string | undefined; work: Work<T>; transact: Transact }): Promise<T>
}

/**
 * Group commit: under load, many works share one BEGIN, one COMMIT and one wake of the server. Without load nobody
 * waits.
 */
export function createGroups(): Groups {
  const queues = new Register<Queue>()

  function createQueue(key: string): Queue {
    const locked = new Set<string>()
    const end = (members: Member[]) => {
      for (const { locks } of members) if (locks !== undefined) locked.delete(locks)
      queue.together.reconsider()
    }
    const forget = () => {
      if (queue.together.isIdle() && queue.alone.isIdle()) queues.delete(key)
    }
    const queue: Queue = {
      together: createBatcher({
        most: () => MEMBERS_AT_MOST,
        atOnce: () => AT_ONCE,
        gather: inOneTurn,
        admit({ locks }) {
          if (locks === undefined) return true
          if (locked.has(locks)) return false
          locked.add(locks)
          return true
        },
        async run(members) {
          const left = await runGroup(members)
          for (const member of left) queue.alone.add(member)
          end(members.filter((member) => !left.includes(member)))
        },
        onIdle: forget,
      }),
      alone: createBatcher({
        most: () => 1,
        atOnce: () => ALONE_AT_ONCE,
        gather: inOneTurn,
        async run(members) {
          for (const { transact, work, resolve, reject } of members) await transact(work).then(resolve, reject)
          end(members)
        },
        onIdle: forget,
      }),
    }
    return queue
  }

  return {
    join: (key, { locks, work, transact }) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(key) ?? createQueue(key)
        queues.set(key, queue)
        queue.together.add({ locks, work, transact, resolve: resolve as Member['resolve'], reject })
      }),
  }
}

/** Settles the members, and returns those that must run alone. */
async function runGroup(members: Member[]): Promise<Member[]> {
  const [first, ...others] = members
  if (!first) return []
  try {
    if (others.length === 0) {
      first.resolve(await first.transact(first.work, true))
      return []
    }
    const outcomes = await first.transact((connection) => runTogether(connection, members), true)
    for (const { member, result, failure } of outcomes) {
      if (failure) member.reject(failure.error)
      else member.resolve(result)
    }
    return []
  } catch (error) {
    // The outcome of COMMIT is unknown, or there is no connection. Work that was alone has failed as it would again.
    const isFinal = error instanceof DatabaseUnavailableError || (others.length === 0 && !isLockTimeout(error))
    if (!isFinal) return members
    for (const member of members) member.reject(error)
    return []
  }
}

/** @throws GroupBrokenError if a statement failed, or work failed after it had written. */
async function runTogether(connection: Connection, members: Member[]): Promise<Outcome[]> {
  let broken = false
  const asked = new Map<string, Promise<QueryResult<unknown>>>()
  // A statement that several works request at once is read once.
  const read = (text: string, values: readonly unknown[], name: string) => {
    const key = `${name} ${JSON.stringify(values)}`
    const known = asked.get(key)
    if (known) return known
    const answer = connection.query<unknown>(text, values, name)
    asked.set(key, answer)
    return answer
  }
  const outcomes = await Promise.all(
    members.map(async (member): Promise<Outcome> => {
      const outcome: Outcome = { member, atCommit: [] }
      let wrote = false
      const own: Connection = {
        query<Row>(text: string, values: readonly unknown[], name?: string): Promise<QueryResult<Row>> {
          if (outcome.failure) {
            broken = true
            return Promise.reject(new GroupBrokenError('the work went on after it had failed'))
          }
          if (!READS.test(text)) {
            wrote = true
            // Earlier reads may be outdated from here on.
            asked.clear()
          }
          const shared = name !== undefined && READS.test(text) && !LOCKS.test(text)
          const answer = (shared ? read(text, values, name) : connection.query(text, values, name)) as Promise<
            QueryResult<Row>
          >
          answer.catch(() => (broken = true))
          return answer
        },
        atCommit: <Row>(text: string, values: readonly unknown[], name: string, on?: AtCommit<Row>) =>
          void outcome.atCommit.push({ text, values, name, on: on as AtCommit<never> | undefined }),
        isCluster: () => connection.isCluster(),
      }
      try {
        outcome.result = await member.work(own)
      } catch (error) {
        outcome.failure = { error }
        broken ||= wrote
      }
      return outcome
    }),
  )
  if (broken) throw new GroupBrokenError()
  const closing = outcomes.flatMap(({ failure, atCommit }) => (failure ? [] : atCommit))
  for (const { text, values, name, on } of combined(closing)) connection.atCommit(text, values, name, on)
  return outcomes
}

function combined(closing: ClosingStatement[]): ClosingStatement[] {
  const single = closing.filter(({ on }) => !on?.combine)
  const alike = Map.groupBy(
    closing.filter(({ on }) => on?.combine),
    ({ name }) => name,
  )
  const together = [...alike.values()].flatMap((statements) => {
    const [first] = statements
    const values = first?.on?.combine?.(statements.map((statement) => statement.values))
    if (!first || !values) return statements
    return [{ ...first, values, on: { rows: (rows: never[]) => statements.forEach(({ on }) => on?.rows?.(rows)) } }]
  })
  return [...single, ...together]
}
