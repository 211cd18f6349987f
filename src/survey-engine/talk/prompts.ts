import type { ContactField, DateQuestion, Question, SurveyDefinition } from '../model/definition.ts'
import { pipe, type PipingContext } from '../logic/piping.ts'
import { messagesFor, type Say } from '../language/messages.ts'
import { allowsOther, choicesOf, contactFieldsOf, scaleOf, takesMany } from '../model/questions.ts'
import { writeDay } from '../language/reply-dates.ts'
import { markerAt, markersOf, optionsOf, type Option } from '../types/families/reply-choices.ts'
import { localize } from '../model/text.ts'

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
  const say = messagesFor(context.language, context.definition)
  const own = isFirst(question, part) ? textOf(question, context) : []
  const how = channel === 'voice' ? howSpoken(question, part, context, say) : howWritten(question, part, context, say)
  const skip = optional ? [say(channel === 'voice' ? 'say_or_skip' : 'ask_or_skip')] : []
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

function howWritten(question: Question, part: string | null, context: PipingContext, say: Say): string[] {
  const scale = scaleOf(question)
  if (scale) {
    const labels = endsOf(question, context).map(({ n, label }) => `${n} = ${label}`)
    return [say(labels.length > 0 ? 'ask_scale_labels' : 'ask_scale', { ...scale, labels: labels.join(', ') })]
  }
  switch (question.type) {
    case 'consent':
      return [say('ask_yes_no')]
    case 'date':
      return [askForDate(question, context, say)]
    case 'open_text':
      return question.format && question.format !== 'text' ? [say(`ask_${question.format}`)] : []
    case 'contact':
      return [say(`ask_contact_${fieldOf(question, part)}`)]
    case 'statement':
      return []
  }
  const options = optionsIn(question, context.definition, context.language)
  const markers = markersOf(options, true)
  const list = options.map(({ label }, index) => `${markerAt(index, markers)} ${label}`)
  const pick = ({ numbers: 'ask_choice_number', letters: 'ask_choice_letter', none: 'ask_choice_label' } as const)[markers]
  const how = question.type === 'ranking' ? say('ask_ranking') : takesMany(question) ? severalOf(question, say) : say(pick)
  const written = [...rowOf(question, part, context), ...list, how, ...(allowsOther(question) ? [say('ask_own_words')] : [])]
  // A list that no message can hold is left out; its labels are understood all the same.
  return written.join('\n').length > LONGEST_SMS - 200 ? [...rowOf(question, part, context), say('ask_own_words')] : written
}

function askForDate({ min, max }: DateQuestion, { language }: PipingContext, say: Say): string {
  const bounds = [min && say('ask_date_from', { min: writeDay(min, language) }), max && say('ask_date_to', { max: writeDay(max, language) })]
  return [say('ask_date', { example: writeDay('2026-03-14', language) }), ...bounds.filter(Boolean)].join(' ')
}

function howSpoken(question: Question, part: string | null, context: PipingContext, say: Say): string[] {
  const scale = scaleOf(question)
  if (scale) return [[say('say_scale', scale), ...endsOf(question, context).map((end) => say('say_end', { ...end }))].join(' ')]
  switch (question.type) {
    case 'consent':
      return [say('say_yes_no')]
    case 'date':
      return [say('say_date')]
    case 'open_text':
      return [say('say_speak')]
    case 'contact':
      return [say(`ask_contact_${fieldOf(question, part)}`), say('say_speak')]
    case 'statement':
      return []
  }
  const options = optionsIn(question, context.definition, context.language)
  // Letters cannot be pressed, and are easily misheard.
  const numbered = markersOf(options, false) === 'numbers'
  const list = numbered
    ? options.map(({ label }, index) => say('say_choice', { label, key: String(index + 1) }))
    : [say('say_labels', { labels: options.map(({ label }) => label).join('; ') })]
  const how = question.type === 'ranking' ? say('say_ranking') : takesMany(question) ? say('say_several') : ''
  return [...rowOf(question, part, context), ...list, how]
}

function severalOf(question: Question, say: Say): string {
  const { min_choices: least = 0, max_choices: most } = question.type === 'multi' ? question : {}
  const bounds = [least > 1 && say('ask_at_least', { n: least }), most !== undefined && say('ask_at_most', { n: most })]
  return [say('ask_several'), ...bounds.filter(Boolean)].join(' ')
}

/** The ends of a scale that have a label. */
function endsOf(question: Question, context: PipingContext): { n: number; label: string }[] {
  const { min, max } = scaleOf(question) ?? { min: 0, max: 0 }
  const [low, high] = scaleLabels(question, context)
  return [
    { n: min, label: low },
    { n: max, label: high },
  ].filter(({ label }) => label !== '')
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
