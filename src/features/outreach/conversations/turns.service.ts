import { uuidv7 } from 'uuidv7'
import { Problem } from '../../../http/problem.ts'
import { isUniqueViolation, type TenantTx } from '../../../platform/database.ts'
import type { PhoneReply } from '../../../platform/phone-port.ts'
import type { Scope } from '../../../platform/scope.ts'
import { fullQuotaOf } from '../../surveys/surveys/published-surveys.service.ts'
import * as store from './turns.store.ts'

// A quota, the survey's limit, a repeat: a turn meets few of them before it knows what it may say.
const MOST_ATTEMPTS = 6

export interface TurnResult {
  /** The provider is answered this. */
  reply: PhoneReply
  conversationId: string | null
  /** Of somebody who was told that the message leads nowhere. */
  strangerHash?: string
}

/** A turn of a conversation: everything that it does is in `tx`, the verbs of other features that `scope` is given to included. */
export interface TurnWork {
  scope: Scope
  tx: TenantTx
  /** Why the survey did not take the answer, where an attempt before this one found that out. */
  refusal: Problem | null
}

interface Steps<Known> {
  /** Whom the turn is with; of one person's turns one is taken at a time. */
  person: string
  /** Locks what the turn is about, and looks up what it needs. */
  read(turn: Pick<TurnWork, 'scope' | 'tx'>): Promise<Known>
  take(turn: TurnWork, known: Known): Promise<TurnResult>
}

/**
 * Takes a message of a provider once: whatever it does and what it was answered are one transaction, and a repeat gets the
 * very same answer.
 */
export async function takeOnce<Known>(scope: Scope, key: string, { person, read, take }: Steps<Known>): Promise<string> {
  let refusal: Problem | null = null
  let full: unknown = null
  for (let attempt = 1; ; attempt++) {
    const known = { refusal, full }
    try {
      return await scope.tx(
        async (tx) => {
          const joined = within(scope, tx, known.full)
          // A repeat that comes at the same moment fails at its COMMIT, and finds the answer of the first when it begins again.
          const [found, taken] = await Promise.all([read({ scope: joined, tx }), store.findTurn(tx, key)])
          if (taken) return scope.secrets.open(taken.reply, sealContext(taken.id))
          const { reply, conversationId, strangerHash } = await take({ scope: joined, tx, refusal: known.refusal }, found)
          const id = uuidv7()
          const written = scope.ports.phoneCallbacks.write(reply)
          store.insertTurnAtCommit(tx, {
            id,
            key,
            conversationId,
            strangerHash: strangerHash ?? null,
            reply: scope.secrets.seal(written, sealContext(id)),
            now: scope.clock.now(),
          })
          return written
        },
        { locks: person },
      )
    } catch (error) {
      if (attempt >= MOST_ATTEMPTS) throw error
      // Another turn did at the same moment what one can do only once: with what that did, this one begins again.
      if (isUniqueViolation(error)) continue
      if (fullQuotaOf(error) !== null) full = error
      else if (error instanceof Problem && error.status < 500 && refusal === null) refusal = error
      else throw error
    }
  }
}

/**
 * A scope whose verbs join a transaction that is open. A quota that was full when it was to commit is told to the first of
 * them, as that transaction itself would tell it.
 */
function within(scope: Scope, tx: TenantTx, full: unknown): Scope {
  let untold = full !== null
  const join = <T>(work: (tx: TenantTx) => Promise<T>): Promise<T> => {
    if (!untold) return work(tx)
    untold = false
    return Promise.reject(full as Error)
  }
  return { ...scope, tx: join, read: (work) => work(tx) }
}

function sealContext(id: string): string {
  return `conversation_turns:${id}`
}
