import type { Channel } from '../../../../platform/ports/provider.ts'
import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import type { EmailMessage } from '../../../../platform/ports/email-port.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { SmsMessage, VoiceCall } from '../../../../platform/ports/phone-port.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { AcceptedSend } from '../acceptance.service.ts'
import type { ClaimedSend } from './claims.store.ts'
import type { Outcome, Settleable } from './outcome.ts'

/** A claimed send, with what its outcome depends on. */
export type Claimed = ClaimedSend & Settleable

/** An email is rendered by `write`, when it is its turn and no transaction is open. */
export type Message =
  | { channel: 'email'; write: () => Promise<EmailMessage> }
  | { channel: 'sms'; sms: SmsMessage }
  | { channel: 'voice'; call: VoiceCall }

/** A message that is ready to go out. */
export interface Ready {
  send: Claimed
  message: Message
}

/** A send that does not go out by this claim. */
export interface Unsent {
  send: Claimed
  outcome: Extract<Outcome, { kind: 'ended' | 'waiting' | 'fault' }>
}

export type Composed = Ready | Unsent

/**
 * The dispatcher knows when a message goes out and what came of it. Its author knows the words, who may still be
 * written to, and what follows from the outcome. Every verb works in the transaction that it is given and calls no
 * provider.
 */
export interface Author {
  /** Decides for each claimed send whether it goes out now, and composes its message. */
  compose(scope: Scope, tx: TenantTx, channel: Channel, claimed: Claimed[]): Promise<Composed[]>
  /** Decides once more for sends that have waited for their turn. Those that are absent go out. */
  decideAgain(scope: Scope, tx: ReadTx, channel: Channel, claimed: Claimed[]): Promise<Unsent[]>
  /**
   * Composes the same messages once more, to ask the provider about them; whether they should go out is not decided
   * again.
   */
  composeAgain(scope: Scope, tx: TenantTx, channel: 'sms' | 'voice', claimed: Claimed[]): Promise<Composed[]>
  /** The provider took these messages for the first time. */
  accepted(scope: Scope, tx: TenantTx, sends: AcceptedSend[]): Promise<void>
  /** The messages do not go out: they were given up, skipped or cancelled. */
  ended(tx: TenantTx, ids: Id<'send'>[]): Promise<void>
  /** The person told the carrier to stop. */
  optedOut(scope: Scope, tx: TenantTx, person: { addressHash: string; masked: string }): Promise<void>
}
