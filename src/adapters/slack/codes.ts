import type { ChatOutcome } from '../../platform/ports/chat-port.ts'
import { outcomeOfStatus } from '../../platform/ports/chat.ts'
import type { OutboundAnswer } from '../../platform/ports/ports.ts'

// The URL is dead (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks#handling_errors).
const GONE = new Set([
  'no_service',
  'no_service_id',
  'no_team',
  'team_disabled',
  'invalid_token',
  'channel_not_found',
  'channel_is_archived',
  'user_not_found',
])

/** Slack answers `ok`, or a word that says what was wrong. Chats that copy Slack's form answer in JSON. */
export function outcomeOf(answer: OutboundAnswer): ChatOutcome {
  const said = answer.excerpt.trim()
  const word = /^[a-z_]{1,40}$/.test(said) ? said : null
  if (answer.status >= 200 && answer.status < 300)
    return said === 'ok' || /^\{\s*"(ok|success)":\s*true/.test(said)
      ? { state: 'taken' }
      : { state: 'failed', code: 'slack_unexpected_answer', retryAfter: null }
  if (word !== null && GONE.has(word)) return { state: 'gone', code: `slack_${word}`, retryAfter: null }
  const outcome = outcomeOfStatus('slack', answer)
  // A 404 without one of the words above comes from a proxy, and not from Slack.
  if (outcome.state === 'gone' && answer.status === 404 && word === null) return { ...outcome, state: 'failed' }
  return outcome.state === 'taken' || word === null ? outcome : { ...outcome, code: `slack_${word}` }
}
