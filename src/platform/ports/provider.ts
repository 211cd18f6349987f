/**
 * How a provider call failed, and so how the next one will fare:
 *
 * - `refused`: the provider would refuse this message again;
 * - `opted_out`: the same, because the person told the carrier to stop;
 * - `throttled`: the provider takes no messages right now;
 * - `not_taken`: the provider has not taken the message, but may later;
 * - `unknown`: the provider may have taken the message without saying so.
 */
export type Verdict = 'refused' | 'opted_out' | 'throttled' | 'not_taken' | 'unknown'

/**
 * A provider said no, or could not be reached. The code is safe for logs and rows. The provider's own message may quote
 * the recipient.
 */
export class ProviderError extends Error {
  /** Such as `resend_validation_error` or `twilio_21211`. */
  readonly code: string
  readonly verdict: Verdict
  /** The wait that the provider asked for. */
  readonly retryAfter: number | null
  constructor(code: string, verdict: Verdict, retryAfter: number | null = null) {
    super(`the provider did not take the message: ${code}`)
    this.name = 'ProviderError'
    this.code = code
    this.verdict = verdict
    this.retryAfter = retryAfter
  }
}

/** A message that a provider accepted. */
export interface Accepted {
  /**
   * A Resend email id, a Twilio SID or a Message-ID. Null if the provider only says that it accepted the message
   * before.
   */
  providerId: string | null
}

/** A provider's request as it arrived. */
export interface Callback {
  /** The address that the provider called, byte for byte: scheme, host, path and query. */
  url: string
  header(name: string): string | undefined
  body: Uint8Array
}

export interface CallbackIssue {
  path: string
  message: string
}

/** The callback has no valid signature, or is not a callback of this provider. */
export class CallbackError extends Error {
  readonly fault: 'unsigned' | 'malformed'
  readonly issues: CallbackIssue[]
  constructor(fault: 'unsigned' | 'malformed', issues: CallbackIssue[] = []) {
    super(`the callback is ${fault}`)
    this.name = 'CallbackError'
    this.fault = fault
    this.issues = issues
  }
}

/** The ways in which an invitation reaches a person. */
export const SEND_CHANNELS = ['email', 'sms', 'voice'] as const
export type Channel = (typeof SEND_CHANNELS)[number]
