import { Problem } from '../../../http/problems/problem.ts'
import { newUuidAt } from '../../../platform/ids.ts'
import { isUniqueViolation } from '../../../platform/database/database.ts'
import { SILENCE, type PhoneReply } from '../../../platform/ports/phone-port.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SecretBox } from '../../../platform/config/secrets.ts'
import { untilItCommits, type Attempt } from '../../answers/capture/submission/attempts.service.ts'
import * as store from './conversations.store.ts'
import { sealExchange, type Exchange } from './exchange.ts'

export interface TurnResult {
  /** The answer to the provider. */
  reply: PhoneReply
  conversationId: string | null
  /** The person who was told that nobody reads their messages. */
  strangerHash?: string
  /** The words of the turn. Absent if they are not kept. */
  exchange?: Exchange
}

/** A turn of a conversation. All its effects are in one transaction. */
export interface TurnWork extends Attempt {
  scope: Scope
  /** Why the survey refused the answer, if an earlier attempt found out. */
  refusal: Problem | null
}

interface Steps<Known> {
  /** The person of the turn. Their turns run one after another. */
  person: string
  /** Locks the rows of the turn and reads the data that it needs. */
  read(turn: Pick<TurnWork, 'scope' | 'tx'>): Promise<Known>
  take(turn: TurnWork, known: Known): Promise<TurnResult>
}

/**
 * Takes a provider's message once. Its effects and its answer are in one transaction, and a repeat gets the same
 * answer.
 */
export async function takeOnce<Known>(
  scope: Scope,
  key: string,
  { person, read, take }: Steps<Known>,
): Promise<string> {
  let refusal: Problem | null = null
  const turn = async ({ tx, full }: Attempt): Promise<string> => {
    // A simultaneous repeat fails at COMMIT, and finds the first answer when it runs again.
    const [found, taken] = await Promise.all([read({ scope, tx }), store.findTurn(tx, key)])
    // No provider repeats a message after years.
    if (taken?.reply === '') return scope.ports.phoneCallbacks.write(SILENCE)
    if (taken) return scope.secrets.open(taken.reply, sealContext(taken.id))
    const { reply, conversationId, strangerHash = null, exchange } = await take({ scope, tx, full, refusal }, found)
    const id = newUuidAt(scope.clock.now())
    const written = scope.ports.phoneCallbacks.write(reply)
    const sealed = sealReply(scope.secrets, id, written)
    const words = exchange ? sealExchange(scope.secrets, id, exchange) : null
    const now = scope.clock.now()
    tx.atCommit(store.insertTurn(tx, { id, key, conversationId, strangerHash, reply: sealed, exchange: words, now }))
    return written
  }
  return untilItCommits(scope, { locks: person }, turn, (error) => {
    // Another turn did a unique thing at the same moment.
    if (isUniqueViolation(error)) return true
    if (!(error instanceof Problem) || error.status >= 500 || refusal !== null) return false
    refusal = error
    return true
  })
}

/** A reply opens only in its own turn. */
export function sealReply(secrets: SecretBox, id: string, reply: string): string {
  return secrets.seal(reply, sealContext(id))
}

function sealContext(id: string): string {
  return `conversation_turns:${id}`
}
