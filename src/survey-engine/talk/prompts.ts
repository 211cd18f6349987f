import { messagesFor } from '../language/messages.ts'
import { pipe, type PipingContext } from '../logic/piping.ts'
import type { LocalizedText, Question } from '../model/definition.ts'
import { localize } from '../model/text.ts'
import { behaviourOf } from '../types/registry.ts'

export type TalkChannel = 'sms' | 'voice' | 'email' | 'web'

export interface Prompt {
  question: Question
  /** The row of a matrix, or the field of a contact question. */
  part: string | null
  /** Whether it may be skipped. */
  optional: boolean
  channel: TalkChannel
}

/** The rows or fields that a question is asked in, one a turn; empty where it takes one turn. */
export function partsOf(question: Question): string[] {
  return behaviourOf(question).parts?.(question) ?? []
}

/** Puts a question in a conversation: its own words, its options, and how to answer. */
export function askIn({ question, part, optional, channel }: Prompt, context: PipingContext): string {
  const { definition, language } = context
  const spoken = channel === 'voice'
  const say = messagesFor(language, definition)
  const label = (text: LocalizedText) => localize(text, language, definition.default_language)
  const filled = (text: LocalizedText | undefined) => filledText(text, context)
  const own = isFirst(question, part) ? textOf(question, context) : []
  const how = behaviourOf(question).ask(question, { spoken, language, part, say, label, filled })
  const skip = optional ? [say(spoken ? 'say_or_skip' : 'ask_or_skip')] : []
  return [...own, ...how, ...skip].filter((line) => line !== '').join(spoken ? ' ' : '\n')
}

/** A statement, or the title and description of a question. */
export function textOf({ title, description }: Question, context: PipingContext): string[] {
  return [title, description].map((text) => filledText(text, context)).filter((text) => text !== '')
}

/** Cuts a text between words, and never inside of a character. */
export function fit(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.replace(/(?<!\s)\s+\S{0,30}$/, '')}…`
}

function filledText(text: LocalizedText | undefined, context: PipingContext): string {
  if (text === undefined) return ''
  return pipe(localize(text, context.language, context.definition.default_language), context).trim()
}

function isFirst(question: Question, part: string | null): boolean {
  return part === null || partsOf(question)[0] === part
}
