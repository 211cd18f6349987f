/** A language model. Its answer is text of a stranger: its caller checks all of it. */
export interface AiPort {
  /** False: no server is configured, so nobody may ask. */
  readonly isConfigured: boolean
  /** @throws AiError if there is no whole answer within the time. */
  complete(request: AiRequest): Promise<string>
}

export interface AiRequest {
  system: string
  user: string
  /** For connecting and the whole answer together. */
  timeoutMs: number
  /** Ends the request early. */
  signal?: AbortSignal
}

/** There is no usable answer. The reason is for the log and holds nothing of the question. */
export class AiError extends Error {
  readonly reason: 'not_configured' | 'timeout' | 'network' | 'status' | 'too_long' | 'incomplete'
  constructor(reason: AiError['reason']) {
    super(`the model gave no answer: ${reason}`)
    this.name = 'AiError'
    this.reason = reason
  }
}
