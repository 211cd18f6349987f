import type { ContactField, ContactQuestion } from '../model/definition.ts'
import { isBlank, isStorable, UNSTORABLE } from '../model/formats.ts'
import { LIMITS } from '../model/limits.ts'
import { isRecord, own } from '../model/record.ts'
import type { Behaviour, Reading } from './behaviour.ts'
import { PRESENCE_ONLY } from './families/comparisons.ts'
import { readFormatted, wordsInReply } from './families/typed.ts'

/** Name, email and the like, one field each. */
export const contact: Behaviour<ContactQuestion, 'fields'> = {
  kind: 'fields',
  read: readFields,
  isRequired: ({ required_fields = [] }) => required_fields.length > 0,
  lacking(value, { required_fields = [] }) {
    const lacking = required_fields.filter((field) => !isRecord(value) || !Object.hasOwn(value, field))
    return lacking.length > 0 ? `Fill in: ${lacking.join(', ')}.` : null
  },
  split: (value) => ({ text: value as Record<string, string> }),
  join: ({ text }) => text,
  comparison: () => PRESENCE_ONLY,
  show(value) {
    const fields = value as Record<string, string>
    return own(fields, 'name') ?? Object.values(fields)[0] ?? ''
  },
  checkPublish(issues, question, path) {
    const fields = contactFieldsOf(question)
    if (fields.length === 0) issues.add(`${path}.fields`, 'Add a field.')
    if (!(question.required_fields ?? []).every((field) => fields.includes(field))) {
      issues.add(`${path}.required_fields`, 'Require only fields that the question has.')
    }
  },
  parts: contactFieldsOf,
  isPartOptional(part, question, { required, answered }) {
    if ((question.required_fields ?? []).some((field) => field === part)) return false
    const isLast = contactFieldsOf(question).at(-1) === part
    return !(required && isLast && !answered)
  },
  ask(question, { part, spoken, say }) {
    const fields = contactFieldsOf(question)
    const field = fields.find((one) => one === part) ?? fields[0] ?? 'name'
    return [say(`ask_contact_${field}`), ...(spoken ? [say('say_speak')] : [])]
  },
  reply(heard) {
    const { part, before } = heard
    if (part === null) return null
    const value = part === 'email' || part === 'phone' ? wordsInReply(heard, part) : heard.text.trim()
    return value === null ? null : { ...(isRecord(before) ? before : {}), [part]: value }
  },
  takesLongReplies: true,
  lint(question, channel) {
    if (channel === 'voice') return ['Names and addresses are often misheard.']
    const { length } = contactFieldsOf(question)
    return length > 1 ? [`It is asked in ${length} messages, one after the other.`] : []
  },
}

export function contactFieldsOf(question: ContactQuestion): ContactField[] {
  return question.fields ?? ['name', 'email']
}

function readFields(raw: unknown, question: ContactQuestion): Reading {
  if (!isRecord(raw)) return { problem: 'Answer with an object of contact fields.' }
  const fields: readonly string[] = contactFieldsOf(question)
  const value: Record<string, string> = {}
  for (const [field, given] of Object.entries(raw)) {
    if (!fields.includes(field)) return { problem: `Use only these fields: ${fields.join(', ')}.` }
    if (given === null) continue
    const reading = readField(field, given)
    if (reading && 'problem' in reading) return { problem: `${field}: ${reading.problem}` }
    if (reading) value[field] = String(reading.value)
  }
  return Object.keys(value).length > 0 ? { value } : null
}

function readField(field: string, given: unknown): Reading {
  if (typeof given !== 'string') return { problem: 'Answer with text.' }
  if (given.length > LIMITS.contactFieldLength)
    return { problem: `Shorten the text to ${LIMITS.contactFieldLength} characters.` }
  if (!isStorable(given)) return { problem: UNSTORABLE }
  if (isBlank(given)) return null
  const text = given.trim()
  return field === 'email' || field === 'phone' ? readFormatted(field, text, 'en') : { value: text }
}
