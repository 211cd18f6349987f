import type { Accepted, Callback } from './provider.ts'

export interface SmsMessage {
  /** E.164. */
  to: string
  from: string
  /** At most 1,600 characters. */
  body: string
  /** The provider reports the status of the message to this URL. */
  statusUrl?: string
}

/** Whether a provider's record belongs to another send that looks the same. */
export type IsAnothers = (providerId: string) => Promise<boolean>

export interface SmsPort {
  /** @throws ProviderError */
  send(message: SmsMessage): Promise<Accepted>
  /** The provider's record of this message at or after `since`, or null. Records of other sends are ignored. */
  findSent(message: SmsMessage, since: Date, isAnothers: IsAnothers): Promise<Accepted | null>
  /** Whether the provider's account owns this number. @throws ProviderError */
  owns(number: string): Promise<boolean>
}

export interface VoiceCall {
  to: string
  from: string
  /** The provider asks this URL for the first words once the call is answered. */
  url: string
}

export interface VoicePort {
  /** @throws ProviderError */
  call(call: VoiceCall): Promise<Accepted>
  findCall(call: VoiceCall, since: Date, isAnothers: IsAnothers): Promise<Accepted | null>
}

/** How a message or a call of ours ended. */
export type PhoneEvent = 'delivered' | 'undelivered' | 'opted_out'

/** A message from a person, or a report about a message to them. `event` is null if the report changes nothing. */
export type SmsCallback =
  | {
      kind: 'message'
      id: string
      from: string
      to: string
      body: string
      /** The provider's own reading of the message, if it has one. */
      command: 'stop' | 'start' | 'help' | null
    }
  | { kind: 'report'; providerId: string; event: PhoneEvent | null }

/** One turn of a call, or the report of its end. */
export type CallCallback =
  | {
      kind: 'turn'
      callId: string
      /** Our number, and the other person's. */
      number: string
      caller: string
      digits: string
      speech: string
      /** 0 to 1. Null if the provider gives none. */
      confidence: number | null
    }
  | { kind: 'over'; callId: string; event: PhoneEvent | null }

/** A callback with a valid signature. The caller chooses how to read its form. */
export interface OpenedCallback {
  /** @throws CallbackError for a form that is neither a message nor a report. */
  sms(): SmsCallback
  /** @throws CallbackError for a form that is not a call. */
  call(): CallCallback
}

/** An answer to a callback, in the person's language. */
export type PhoneReply =
  | { kind: 'silence' }
  | { kind: 'message'; text: string }
  /** Says something and listens. The provider posts the reply, or the silence, to `action`. */
  | { kind: 'ask'; say: string; language: string; action: string }
  | { kind: 'goodbye'; say: string; language: string }

/** Says nothing: no message is sent, and a call ends. */
export const SILENCE: PhoneReply = { kind: 'silence' }

export interface PhoneCallbacksPort {
  /** @throws CallbackError unless the callback is signed. */
  open(callback: Callback): OpenedCallback
  /** Writes a reply in the provider's own format. */
  write(reply: PhoneReply): string
}
