import type { AnswerValue, Choice, Choosing, MatrixLine, Issues } from '../../model/definition.ts'
import { isHttpUrl } from '../../model/formats.ts'
import { LIMITS } from '../../model/limits.ts'
import { isRecord } from '../../model/record.ts'
import type { Behaviour, Comparison, ConditionMember, Operand, Showing } from '../behaviour.ts'
import { lackingOther, type Choosable } from './choice-answers.ts'
import { idsOf } from './comparisons.ts'
import { joined } from '../../model/text.ts'
import { SLUG, checkIds } from '../../model/identifiers.ts'

/** All that the types with choices share. */
export const ofChoices = {
  kind: 'choice',
  lacking: (value, _question, required) => lackingOther(value, required),
  show: (value, { choices }, showing) =>
    Array.isArray(value)
      ? joined(value, ', ', (item) => showChosen(item, choices, showing))
      : showChosen(value, choices, showing),
  split(value) {
    if (!Array.isArray(value))
      return isOther(value) ? { answer: 'other', text: value.other } : { answer: String(value) }
    return { answer: value.map((item) => (isOther(item) ? 'other' : item)), text: value.find(isOther)?.other }
  },
  join({ answer, text }, { allow_other }) {
    const words = typeof text === 'string' ? text : ''
    const restore = (item: string): Choosing => (item === 'other' && allow_other === true ? { other: words } : item)
    if (typeof answer === 'string') return restore(answer)
    return Array.isArray(answer) ? answer.map(restore) : answer
  },
  controls: ({ choices }) => Math.max(1, choices.length),
  checkDraft(issues, { choices, allow_other }, path) {
    checkLines(issues, choices, `${path}.choices`)
    for (const [index, { id, image_url }] of choices.entries()) {
      const at = `${path}.choices.${index}`
      if (id === 'other' && allow_other === true)
        issues.add(`${at}.id`, 'Choose another id; allow_other reserves the id other for its free answer.')
      if (image_url !== undefined && !isImageUrl(image_url)) {
        issues.add(`${at}.image_url`, 'Use an http(s) address, or a path on this server that starts with /.')
      }
    }
  },
  checkPublish(issues, { choices }, path) {
    if (choices.length === 0) issues.add(`${path}.choices`, 'Add choices.')
  },
  options: ({ choices }): MatrixLine[] => choices,
  problemOf: (raw) => (Array.isArray(raw) ? 'count' : 'unclear'),
  unspeakable: ({ choices }) => (choices.length > MOST_REMEMBERED ? 'People cannot remember so many choices' : null),
  lint: (question, channel) => lintChoices(question, channel),
} satisfies Partial<Behaviour<Choosable>>

/** Conditions see an "other" answer as `other`. */
export const CHOSEN = {
  operand: (value): Operand => (Array.isArray(value) ? value.map(idOf) : idOf(value)),
  misfit(values: ConditionMember[], { choices, allow_other }: Choosable) {
    const ids = idsOf(choices)
    const fits = (value: string) => ids.has(value) || (value === 'other' && allow_other === true)
    return values.every((value) => fits(String(value))) ? null : 'Compare with choice ids of the question.'
  },
} satisfies Partial<Comparison<Choosable>>

/** Warns where choices are too many for a channel; `own` is a warning of the type itself. */
export function lintChoices(
  { choices, allow_other }: Choosable,
  channel: 'sms' | 'voice',
  own: string[] = [],
): string[] {
  if (channel === 'sms')
    return [
      ...own,
      ...(choices.length > MOST_WRITTEN ? [`More than ${MOST_WRITTEN} choices are hard to read in a message.`] : []),
    ]
  const many = choices.length > MOST_SPOKEN ? [`More than ${MOST_SPOKEN} choices are hard to remember.`] : []
  return [
    ...many,
    ...own,
    ...(allow_other === true ? ['An answer in the person’s own words is stored as the call understood it.'] : []),
  ]
}

/** The label of a line; its id where the survey has no such line any more. */
export function labelOf(lines: MatrixLine[], id: string, { label }: Showing): string {
  const line = lines.find((candidate) => candidate.id === id)
  return line ? label(line.label) : id
}

const MOST_WRITTEN = 12
/** How many choices a person can press and remember easily. */
const MOST_SPOKEN = 9
const MOST_REMEMBERED = 50

function isOther(value: AnswerValue | Choosing): value is { other: string } {
  return isRecord(value)
}

function idOf(value: AnswerValue): string {
  return typeof value === 'object' ? 'other' : String(value)
}

function showChosen(item: AnswerValue, choices: Choice[], showing: Showing): string {
  return isOther(item) ? (item.other ?? '') : labelOf(choices, String(item), showing)
}

function isImageUrl(url: string): boolean {
  return isHttpUrl(url) || (url.length <= LIMITS.urlLength && /^\/(?![/\\])[^\s\\]*$/.test(url))
}

export function isWholeFrom(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high
}

/** Reports choices, rows or columns that are too many, or whose ids cannot be used. */
export function checkLines(issues: Issues, lines: { id: string }[], path: string): void {
  if (lines.length > LIMITS.choices) issues.add(path, `Remove some; there may be at most ${LIMITS.choices}.`)
  checkIds(
    issues,
    lines.map(({ id }, index) => ({ path: `${path}.${index}.id`, id })),
    SLUG,
  )
}
