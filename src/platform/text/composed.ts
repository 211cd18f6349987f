import { normalForm } from './normal-form.ts'

// Characters below U+0300 are in this form already.
const MAY_DIFFER = /[\u0300-\uffff]/
const LONGEST = 20_000

/**
 * The one form of a text whose letters may be written in several (Unicode NFC), so that the same word is one word
 * everywhere. Texts that no schema takes, and rows of marks that no language has, stay as they are: composing takes
 * long.
 */
export function composed(text: string): string {
  return text.length > LONGEST || !MAY_DIFFER.test(text) ? text : normalForm(text, 'NFC')
}

/** A JSON value with each text and each name in that form. Stops at `budget` characters. Changes the value in place. */
export function composeWithin(value: unknown, budget: { left: number }): unknown {
  if (typeof value === 'string') {
    budget.left -= value.length
    return budget.left < 0 ? value : composed(value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = composeWithin(value[index], budget)
    return value
  }
  const members = value as Record<string, unknown>
  for (const name of Object.keys(members)) {
    const member = members[name]
    const key = composed(name)
    if (key !== name) delete members[name]
    if (key !== name || typeof member === 'string') members[key] = composeWithin(member, budget)
    else composeWithin(member, budget)
  }
  return value
}
