import type { SecretBox } from '../../../platform/config/secrets.ts'
import { masked } from '../../trust/addresses/masked.ts'

/** The effect of our message in a conversation. `repeat` asks the same again, `closing` is the last. */
export const SAID_KINDS = ['opening', 'question', 'repeat', 'reminder', 'closing'] as const

/** The words of a person. */
export interface Heard {
  text: string
  /** For speech: how sure the provider is, from 0 to 1. */
  confidence: number | null
}

/**
 * One turn in words: the person's to the question that waited, and ours after it. Addresses and numbers in
 * it are masked, so that no erasure has to find them here.
 */
export interface Exchange {
  heard: (Heard & { question_id: string | null }) | null
  said: { kind: (typeof SAID_KINDS)[number]; text: string; question_id: string | null }
}

/** Where a conversation is. */
interface Place {
  asked: string | null
  part: string | null
  ended_at: Date | null
}

/** @param before the conversation before the turn. Null: the turn began it. */
export function exchangeOf(before: Place | null, after: Place, heard: Heard | null, text: string): Exchange {
  const isSame = before !== null && before.asked === after.asked && before.part === after.part
  return {
    heard: heard && { ...heard, text: masked(heard.text), question_id: before?.asked ?? null },
    said: {
      kind: after.ended_at ? 'closing' : before === null ? 'opening' : isSame ? 'repeat' : 'question',
      text: masked(text),
      question_id: after.asked,
    },
  }
}

/** An exchange opens only in its own turn. */
export function sealExchange(secrets: SecretBox, turnId: string, exchange: Exchange): string {
  return secrets.seal(JSON.stringify(exchange), contextOf(turnId))
}

export function openExchange(secrets: SecretBox, turnId: string, sealed: string): Exchange {
  return JSON.parse(secrets.open(sealed, contextOf(turnId))) as Exchange
}

function contextOf(turnId: string): string {
  return `conversation_turns:${turnId}:exchange`
}
