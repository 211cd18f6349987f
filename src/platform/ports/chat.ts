import type { ChatMessage, ChatOutcome, ChatPort, ChatProvider } from './chat-port.ts'
import { BlockedUrlError, OutboundError, type OutboundAnswer, type OutboundHttpPort } from './ports.ts'
import { retryAfterSeconds } from '../loop/retry.ts'

/** The body of a message, and the meaning of an answer. */
export interface ChatAdapter {
  body(message: ChatMessage): string
  outcome(answer: OutboundAnswer): ChatOutcome
}

const TIMEOUT_MS = 10_000

/** Posts by the guard of webhooks: no private address, no redirect. */
export function createChat(
  outbound: Pick<OutboundHttpPort, 'post'>,
  adapters: Record<ChatProvider, ChatAdapter>,
): ChatPort {
  return {
    async send(provider, url, message) {
      const adapter = adapters[provider]
      try {
        const headers = { 'content-type': 'application/json', 'user-agent': 'Earshot' }
        const answer = await outbound.post({ url, headers, body: adapter.body(message), timeoutMs: TIMEOUT_MS })
        return adapter.outcome(answer)
      } catch (error) {
        return { state: 'failed', code: `${provider}_${codeOf(error)}`, retryAfter: null }
      }
    },
  }
}

/** The meaning of each status, unless a provider says otherwise. */
export function outcomeOfStatus(provider: ChatProvider, { status, retryAfter }: OutboundAnswer): ChatOutcome {
  if (status >= 200 && status < 300) return { state: 'taken' }
  const code = `${provider}_${status >= 300 && status < 400 ? 'redirect' : status}`
  if (status === 404 || status === 410) return { state: 'gone', code, retryAfter: null }
  if (status === 400 || status === 413 || status === 422) return { state: 'refused', code, retryAfter: null }
  return { state: 'failed', code, retryAfter: retryAfterSeconds(retryAfter) }
}

function codeOf(error: unknown): string {
  if (error instanceof BlockedUrlError) return 'blocked_url'
  return error instanceof OutboundError ? error.reason : 'error'
}
