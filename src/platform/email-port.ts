import type { Accepted, Callback } from './provider.ts'

export interface EmailMessage {
  to: string
  subject: string
  text: string
  html?: string
  /** Name shown beside the sender's address, instead of the one in `EMAIL_FROM`. */
  fromName?: string
  replyTo?: string
  /** Such as `List-Unsubscribe`. */
  headers?: Record<string, string>
  /** The provider hands it back with its events: letters, digits, `_` and `-`, at most 256. */
  tag?: string
  /** The same key never sends twice, where the provider can tell. */
  idempotencyKey: string
}

export interface EmailPort {
  /**
   * Resolves once the provider has accepted the message.
   * @throws ProviderError; anything else is a fault on the way, and the message may be tried again.
   */
  send(message: EmailMessage): Promise<Accepted>
}

/** An email port that lives as long as the process, and holds connections open. */
export interface EmailAdapter extends EmailPort {
  close(): Promise<void>
}

/** An event of an email provider about one message. */
export interface EmailEvent {
  kind: 'delivered' | 'bounced' | 'complained'
  /** The provider's id of this event; '' where it has none. A repeat has the same. */
  eventId: string
  /** The provider's id of the message. */
  providerId: string
  /** The tag that the message was sent with. */
  tag: string | null
  /** When it happened, as the provider says; an invalid date where it does not. */
  at: Date
}

export interface EmailCallbacksPort {
  /**
   * Reads an event; null for one that does not matter.
   * @throws CallbackError
   */
  read(callback: Callback, now: Date): EmailEvent | null
}
