/**
 * How a call of a provider failed, as far as it concerns the next one:
 *
 * - `refused`: the provider would refuse this message again;
 * - `opted_out`: so it would, because the person told the carrier to stop;
 * - `throttled`: the provider takes no message at the moment;
 * - `not_taken`: the provider has not taken the message, and may take it later;
 * - `unknown`: the provider may have taken the message although it did not say so.
 */
export type Verdict = 'refused' | 'opted_out' | 'throttled' | 'not_taken' | 'unknown'

/**
 * A provider said no, or could not be asked. The code is fit for logs and rows: providers quote recipients in their
 * messages.
 */
export class ProviderError extends Error {
  /** Such as `resend_validation_error` or `twilio_21211`. */
  readonly code: string
  readonly verdict: Verdict
  /** Seconds, where the provider asked for them. */
  readonly retryAfter: number | null
  constructor(code: string, verdict: Verdict, retryAfter: number | null = null) {
    super(`the provider did not take the message: ${code}`)
    this.name = 'ProviderError'
    this.code = code
    this.verdict = verdict
    this.retryAfter = retryAfter
  }
}

/** A message that a provider took. */
export interface Accepted {
  /**
   * A Resend email id, a Twilio SID, a Message-ID. Null when the provider only says that it took the message before.
   */
  providerId: string | null
}

/** A request of a provider as it arrived. */
export interface Callback {
  /** The address that the provider was given, byte for byte: scheme, host, path and query. */
  url: string
  header(name: string): string | undefined
  body: Uint8Array
}

export interface CallbackIssue {
  path: string
  message: string
}

/** A callback that nobody signed as agreed, or one that is no callback of this provider. */
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
