import type { ChatOutcome } from '../../platform/ports/chat-port.ts'
import { outcomeOfStatus } from '../../platform/ports/chat.ts'
import type { OutboundAnswer } from '../../platform/ports/ports.ts'

const RELAYED = /returned HTTP error (\d{3})/

/**
 * A workflow answers 202, an older connector 200 with `1`. A connector also answers 200 when Teams itself refused, and
 * names that status in a sentence.
 */
export function outcomeOf(answer: OutboundAnswer): ChatOutcome {
  const relayed = answer.status === 200 ? RELAYED.exec(answer.excerpt)?.[1] : undefined
  return outcomeOfStatus('teams', relayed === undefined ? answer : { ...answer, status: Number(relayed) })
}
