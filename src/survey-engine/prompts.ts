import type { ContactField, Question, SurveyDefinition } from './definition.ts'
import { pipe, type PipingContext } from './piping.ts'
import { promptWords, type PromptWords } from './prompt-words.ts'
import { allowsOther, choicesOf, contactFieldsOf, scaleOf, takesMany } from './questions.ts'
import { markerAt, markersOf, optionsOf, type Option } from './reply-choices.ts'
import { localize } from './text.ts'

export type TalkChannel = 'sms' | 'voice' | 'email' | 'web'

/** What one SMS may hold, however many segments it takes (Twilio, error 21617). */
export const LONGEST_SMS = 1_600

export interface Asking {
  question: Question
  /** The row of a matrix, or the field of a contact question. */
  part: string | null
  /** Whether it may be skipped. */
  optional: boolean
  channel: TalkChannel
}

/** The rows or fields that a question is asked in, one a turn; empty where it takes one turn. */
export function partsOf(question: Question): string[] {
  if (question.type === 'matrix') return question.rows.map(({ id }) => id)
  return question.type === 'contact' ? contactFieldsOf(question) : []
}

/** What a question sounds like in a conversation: its own words, its options, and how to answer. */
export function askIn({ question, part, optional, channel }: Asking, context: PipingContext): string {
  const words = promptWords(context.language)
  const own = isFirst(question, part) ? textOf(question, context) : []
  const how = channel === 'voice' ? howSpoken(question, part, context, words) : howWritten(question, part, context, words)
  const skip = optional ? [channel === 'voice' ? words.voice.orSkip : words.orSkip] : []
  return [...own, ...how, ...skip].filter((line) => line !== '').join(channel === 'voice' ? ' ' : '\n')
}

/** A statement, or the title and description of a question. */
export function textOf(question: Question, context: PipingContext): string[] {
  const { definition, language } = context
  return [question.title, question.description]
    .map((text) => (text === undefined ? '' : pipe(localize(text, language, definition.default_language), context).trim()))
    .filter((text) => text !== '')
}

/** What a reply may choose from: choices, or the columns of a matrix. */
export function optionsIn(question: Question, definition: SurveyDefinition, language: string): Option[] {
  const lines = question.type === 'matrix' ? question.columns : choicesOf(question)
  return optionsOf(lines, language, definition.default_language)
}

/** Cut to what fits, between words and never inside of a character. */
export function fit(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')
  return `${cut.replace(/\s+\S{0,30}$/, '')}…`
}

function howWritten(question: Question, part: string | null, context: PipingContext, words: PromptWords): string[] {
  const scale = scaleOf(question)
  if (scale) return [words.scale(scale.min, scale.max, ...scaleLabels(question, context))]
  switch (question.type) {
    case 'consent':
      return [words.yesNo]
    case 'date':
      return [words.date(question.min, question.max)]
    case 'open_text':
      return question.format && question.format !== 'text' ? [words.format[question.format]] : []
    case 'contact':
      return [words.contact[fieldOf(question, part)]]
    case 'statement':
      return []
  }
  const options = optionsIn(question, context.definition, context.language)
  const markers = markersOf(options, true)
  const list = options.map(({ label }, index) => `${markerAt(index, markers)} ${label}`)
  const pick = { numbers: words.numbers, letters: words.letters, none: words.labels }[markers]
  const how = question.type === 'ranking' ? words.ranking : takesMany(question) ? severalOf(question, words) : pick
  const written = [...rowOf(question, part, context), ...list, how, ...(allowsOther(question) ? [words.orOwnWords] : [])]
  // A list that no message can hold is left out; its labels are understood all the same.
  return written.join('\n').length > LONGEST_SMS - 200 ? [...rowOf(question, part, context), words.orOwnWords] : written
}

function howSpoken(question: Question, part: string | null, context: PipingContext, words: PromptWords): string[] {
  const { voice } = words
  const scale = scaleOf(question)
  if (scale) return [voice.scale(scale.min, scale.max, ...scaleLabels(question, context))]
  switch (question.type) {
    case 'consent':
      return [voice.yesNo]
    case 'date':
      return [voice.date]
    case 'open_text':
      return [voice.speak]
    case 'contact':
      return [words.contact[fieldOf(question, part)], voice.speak]
    case 'statement':
      return []
  }
  const options = optionsIn(question, context.definition, context.language)
  // Letters cannot be pressed, and are easily misheard.
  const numbered = markersOf(options, false) === 'numbers'
  const list = numbered
    ? options.map(({ label }, index) => voice.choice(label, String(index + 1)))
    : [voice.labels(options.map(({ label }) => label).join('; '))]
  const how = question.type === 'ranking' ? voice.ranking : takesMany(question) ? voice.several : ''
  return [...rowOf(question, part, context), ...list, how]
}

function severalOf(question: Question, words: PromptWords): string {
  const { min_choices: least = 0, max_choices: most = Infinity } = question.type === 'multi' ? question : {}
  return words.several(least, most)
}

function scaleLabels(question: Question, context: PipingContext): [string, string] {
  const { language, definition } = context
  const labelOf = (name: 'low_label' | 'high_label') => {
    const text = name in question ? (question as { [Name in typeof name]?: Question['title'] })[name] : undefined
    return text === undefined ? '' : pipe(localize(text, language, definition.default_language), context).trim()
  }
  return [labelOf('low_label'), labelOf('high_label')]
}

function rowOf(question: Question, part: string | null, { language, definition }: PipingContext): string[] {
  const row = question.type === 'matrix' ? question.rows.find(({ id }) => id === part) : undefined
  return row ? [`${localize(row.label, language, definition.default_language)}:`] : []
}

function fieldOf(question: Question, part: string | null): ContactField {
  const fields = question.type === 'contact' ? contactFieldsOf(question) : []
  return fields.find((field) => field === part) ?? fields[0] ?? 'name'
}

function isFirst(question: Question, part: string | null): boolean {
  return part === null || partsOf(question)[0] === part
}
