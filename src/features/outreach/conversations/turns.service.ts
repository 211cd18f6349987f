import { uuidv7 } from 'uuidv7'
import { Problem } from '../../../http/problem.ts'
import { isUniqueViolation } from '../../../platform/database.ts'
import type { PhoneReply } from '../../../platform/phone-port.ts'
import type { Scope } from '../../../platform/scope.ts'
import { untilItCommits, type Attempt } from '../../answers/capture/attempts.service.ts'
import * as store from './turns.store.ts'

export interface TurnResult {
  /** The provider is answered this. */
  reply: PhoneReply
  conversationId: string | null
  /** The person who was told that the message leads nowhere. */
  strangerHash?: string
}

/** A turn of a conversation: everything that it does is in one transaction. */
export interface TurnWork extends Attempt {
  scope: Scope
  /** Why the survey did not take the answer, where an attempt before this one found that out. */
  refusal: Problem | null
}

interface Steps<Known> {
  /** The person that the turn is with, whose turns are taken one at a time. */
  person: string
  /** Locks what the turn is about, and looks up what it needs. */
  read(turn: Pick<TurnWork, 'scope' | 'tx'>): Promise<Known>
  take(turn: TurnWork, known: Known): Promise<TurnResult>
}

/**
 * Takes a message of a provider once: its effects and its answer are one transaction, and a repeat gets the very same
 * answer.
 */
export async function takeOnce<Known>(scope: Scope, key: string, { person, read, take }: Steps<Known>): Promise<string> {
  let refusal: Problem | null = null
  const turn = async ({ tx, full }: Attempt): Promise<string> => {
    // A repeat that comes at the same moment fails at its COMMIT, and finds the answer of the first when it begins again.
    const [found, taken] = await Promise.all([read({ scope, tx }), store.findTurn(tx, key)])
    if (taken) return scope.secrets.open(taken.reply, sealContext(taken.id))
    const { reply, conversationId, strangerHash = null } = await take({ scope, tx, full, refusal }, found)
    const id = uuidv7()
    const written = scope.ports.phoneCallbacks.write(reply)
    const sealed = scope.secrets.seal(written, sealContext(id))
    store.insertTurnAtCommit(tx, { id, key, conversationId, strangerHash, reply: sealed, now: scope.clock.now() })
    return written
  }
  return untilItCommits(scope, { locks: person }, turn, (error) => {
    // Another turn did at the same moment what can be done only once.
    if (isUniqueViolation(error)) return true
    if (!(error instanceof Problem) || error.status >= 500 || refusal !== null) return false
    refusal = error
    return true
  })
}

function sealContext(id: string): string {
  return `conversation_turns:${id}`
}
