import { readDay, writeDay } from '../language/reply-dates.ts'
import type { DateQuestion } from '../model/definition.ts'
import { isCalendarDate } from '../model/formats.ts'
import type { Asking, Behaviour, Comparison } from './behaviour.ts'
import { membersOf, ORDER, PRESENCE } from './families/comparisons.ts'

/** A day, `YYYY-MM-DD`. */
export const date: Behaviour<DateQuestion, 'date'> = {
  kind: 'date',
  read(raw, { min, max }) {
    if (typeof raw !== 'string') return { problem: 'Answer with a date such as 2026-11-22.' }
    const day = raw.length > 40 ? raw : raw.trim()
    if (day === '') return null
    if (!isCalendarDate(day)) return { problem: 'Enter a date that exists, such as 2026-11-22.' }
    if (min !== undefined && day < min) return { problem: `Choose ${min} or a later date.` }
    if (max !== undefined && day > max) return { problem: `Choose ${max} or an earlier date.` }
    return { value: day }
  },
  comparison: () => DAYS,
  show: String,
  checkDraft(issues, question, path) {
    for (const key of ['min', 'max'] as const) {
      const day = question[key]
      if (day !== undefined && !isCalendarDate(day))
        issues.add(`${path}.${key}`, 'Use a date that exists, such as 2026-11-22.')
    }
  },
  checkPublish(issues, { min, max }, path) {
    if (min !== undefined && max !== undefined && min > max)
      issues.add(`${path}.min`, 'Put the earliest date before the latest.')
  },
  ask: (question, asking) => [asking.spoken ? asking.say('say_date') : askForDay(question, asking)],
  reply: ({ text, language, today }) => readDay(text, language, today),
  problemOf: () => 'date',
}

const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'

const DAYS: Comparison<DateQuestion> = {
  operators: [...ORDER, 'before', 'after', 'one_of', ...PRESENCE],
  operand: String,
  misfit: (values) =>
    values.every((value) => typeof value === 'string' && isCalendarDate(value))
      ? null
      : 'Compare with a date such as 2026-11-22.',
  impossible(leaf, { min = FIRST_DAY, max = LAST_DAY }, holds) {
    const days = [min, max, ...membersOf(leaf).map(String)].filter((day) => day >= min && day <= max)
    return days.some(holds) ? null : `No answer passes this test; answers are dates from ${min} to ${max}.`
  },
}

function askForDay({ min, max }: DateQuestion, { language, say }: Asking): string {
  const bounds = [
    min && say('ask_date_from', { min: writeDay(min, language) }),
    max && say('ask_date_to', { max: writeDay(max, language) }),
  ]
  return [say('ask_date', { example: writeDay('2026-03-14', language) }), ...bounds.filter(Boolean)].join(' ')
}
