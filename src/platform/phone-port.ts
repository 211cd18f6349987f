import type { Accepted, Callback } from './provider.ts'

export interface SmsMessage {
  /** E.164. */
  to: string
  from: string
  /** At most 1,600 characters. */
  body: string
  /** The provider reports here how the message fares. */
  statusUrl?: string
}

/** Whether the provider's record is known to belong to another send, which may look the same. */
export type IsAnothers = (providerId: string) => Promise<boolean>

export interface SmsPort {
  /** @throws ProviderError */
  send(message: SmsMessage): Promise<Accepted>
  /** The provider's record of this message at or after `since`, or null. Records of other sends are ignored. */
  findSent(message: SmsMessage, since: Date, isAnothers: IsAnothers): Promise<Accepted | null>
}

export interface VoiceCall {
  to: string
  from: string
  /** The provider asks here what to say, once the call is answered. */
  url: string
}

export interface VoicePort {
  /** @throws ProviderError */
  call(call: VoiceCall): Promise<Accepted>
  findCall(call: VoiceCall, since: Date, isAnothers: IsAnothers): Promise<Accepted | null>
}

/** How a message or a call of ours ended. */
export type PhoneEvent = 'delivered' | 'undelivered' | 'opted_out'

/** A message that somebody sent, or a report about one of ours; `event` is null where the report changes nothing. */
export type SmsCallback =
  | {
      kind: 'message'
      id: string
      from: string
      to: string
      body: string
      /** The provider's own reading of the message, where it has one. */
      command: 'stop' | 'start' | 'help' | null
    }
  | { kind: 'report'; providerId: string; event: PhoneEvent | null }

/** One turn of a call, or the report that it is over. */
export type CallCallback =
  | {
      kind: 'turn'
      callId: string
      /** Our number, and the other person's. */
      number: string
      caller: string
      digits: string
      speech: string
      /** 0 to 1; null where the provider tells none. */
      confidence: number | null
    }
  | { kind: 'over'; callId: string; event: PhoneEvent | null }

/** A callback whose signature holds. Its form is read as the one or the other. */
export interface OpenedCallback {
  /** @throws CallbackError for a form that is neither a message nor a report. */
  sms(): SmsCallback
  /** @throws CallbackError for a form that is no call. */
  call(): CallCallback
}

/** An answer to a callback, in the language of the person. */
export type PhoneReply =
  | { kind: 'silence' }
  | { kind: 'message'; text: string }
  /** Says something and listens; the answer, or the silence, is posted to `action`. */
  | { kind: 'ask'; say: string; language: string; action: string }
  | { kind: 'goodbye'; say: string; language: string }

/** Answers nothing: no message goes out, a call ends. */
export const SILENCE: PhoneReply = { kind: 'silence' }

export interface PhoneCallbacksPort {
  /** @throws CallbackError unless the callback is signed. */
  open(callback: Callback): OpenedCallback
  /** A reply in the provider's own language. */
  write(reply: PhoneReply): string
}
