import type { Accepted, Callback } from './provider.ts'

/** A file of a message. With an id it is a picture that the HTML shows as `cid:<id>`. */
export interface EmailAttachment {
  name: string
  type: string
  contentId?: string
  base64: string
}

export interface EmailMessage {
  to: string
  subject: string
  text: string
  html?: string
  attachments?: EmailAttachment[]
  /** The sender's name, in place of the one in `EMAIL_FROM`. */
  fromName?: string
  replyTo?: string
  /** Such as `List-Unsubscribe`. */
  headers?: Record<string, string>
  /** The provider returns it with its events. At most 256 letters, digits, `_` and `-`. */
  tag?: string
  /** The provider sends one message for each key, if it supports keys. */
  idempotencyKey: string
}

export interface EmailPort {
  /**
   * Resolves when the provider has accepted the message.
   * @param check asked right before the message leaves, if it had to wait for others. If it throws, the message is not
   * sent.
   * @throws ProviderError, or what `check` throws; any other error is a failure on the way, and the message may be
   * tried again.
   */
  send(message: EmailMessage, check?: () => Promise<void>): Promise<Accepted>
  /** Deletes the copies that a provider on this machine keeps of messages that name an address. Returns their names. */
  eraseCopies?(addresses: string[]): Promise<string[]>
}

/** An email port that lives as long as the process and keeps connections open. */
export interface EmailAdapter extends EmailPort {
  close(): Promise<void>
}

/** A provider's event about one message. */
export interface EmailEvent {
  /** `failed`: the provider gave up on a message that it had taken. `suppressed`: it did not try. */
  kind: 'delivered' | 'bounced' | 'complained' | 'failed' | 'suppressed'
  /** The provider's id of this event, the same for a repeat. '' if it has none. */
  eventId: string
  /** The provider's id of the message. */
  providerId: string
  /** The tag of the sent message. */
  tag: string | null
  /** When it happened, by the provider's clock. An invalid date if the provider gives none. */
  at: Date
}

export interface EmailCallbacksPort {
  /** Reads an event. Null if the event does not matter. @throws CallbackError */
  read(callback: Callback, now: Date): EmailEvent | null
}
