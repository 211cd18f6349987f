import { withHyphens } from '../../../platform/schemas/line-schema.ts'
import { oneLine } from '../../../platform/text/names.ts'
import { isMaskedAddress, parseAddress } from '../../trust/addresses/address.ts'
import { zoneNamed } from '../../../platform/time-zones.ts'
import { isMaskedName } from './contact.ts'
import { LANGUAGE_TAG, MOST_ATTRIBUTES, type REJECTIONS } from './people.schema.ts'

export type Rejection = (typeof REJECTIONS)[number]
type Value = string | number | boolean

/** A person as a caller describes them. Undefined leaves a member as it is, null removes it. */
export interface PersonInput {
  external_id?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
  name?: string | null | undefined
  language?: string | null | undefined
  timezone?: string | null | undefined
  attributes?: Record<string, Value | null> | undefined
}

/** The same with addresses in their one form, or the reason why this cannot be a person. */
export function checkPerson(given: PersonInput): { person: PersonInput } | { reason: Rejection; path: string } {
  const person = { ...given }
  for (const kind of ['email', 'phone'] as const) {
    const text = given[kind]
    if (text === undefined || text === null) continue
    if (isMaskedAddress(text)) return { reason: 'masked', path: kind }
    person[kind] = parseAddress(kind === 'email' ? 'email' : 'sms', text)
    if (person[kind] === null) return { reason: 'invalid_address', path: kind }
  }
  if (given.name && isMaskedName(given.name)) return { reason: 'masked', path: 'name' }
  if (given.language && !LANGUAGE_TAG.test(given.language)) return { reason: 'invalid_language', path: 'language' }
  if (typeof given.name === 'string') person.name = oneLine(given.name) || null
  if (typeof given.language === 'string') person.language = withHyphens(given.language) || null
  if (typeof given.timezone === 'string') person.timezone = zoneNamed(given.timezone)
  if (given.timezone && person.timezone === null) return { reason: 'invalid_timezone', path: 'timezone' }
  return { person }
}

/** Adds attributes to those that a person has. Null takes one out. Null for too many. */
export function mergeAttributes(
  known: Record<string, Value>,
  given: Record<string, Value | null> | undefined,
): Record<string, Value> | null {
  if (given === undefined) return known
  const merged: Record<string, Value> = { ...known }
  for (const [name, value] of Object.entries(given)) {
    if (value === null) delete merged[name]
    else merged[name] = value
  }
  return Object.keys(merged).length <= MOST_ATTRIBUTES ? merged : null
}
