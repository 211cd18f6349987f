import type { Issue } from '../../../http/problems/problem.ts'
import { readCsv, type CsvRow } from '../csv-import/csv-rows.ts'
import { composeWithin } from '../../../platform/text/composed.ts'
import { isStorable } from '../../../survey-engine/model/formats.ts'
import type { Rejection } from './person-input.ts'
import {
  attributes,
  LEFT_OUT,
  LONGEST,
  LONGEST_IMPORTED_LANGUAGE,
  MOST_ATTRIBUTES,
  MOST_PEOPLE,
} from './people.schema.ts'

const COLUMNS = ['external_id', 'email', 'phone', 'name', 'language', 'timezone'] as const
const ATTRIBUTES = 'attributes'
/** Columns of an export of people that are nothing for an invitation. */
export const PERSON_ONLY = ['external_id', ATTRIBUTES, ...LEFT_OUT]
const ATTRIBUTE = 'attribute.'
// A hundred attributes of 1,000 characters, with room for escaped ones.
const LONGEST_ATTRIBUTES = 256 * 1024

/** Why a row cannot be imported. `too_long`: a cell has too many characters, and no other reason says so. */
export type Unread = Rejection | 'too_long' | 'invalid_attributes'

type Attributes = Record<string, string | number | boolean | null>
type CsvPerson = Partial<Record<(typeof COLUMNS)[number], string>> & { attributes: Attributes }

// The reason why a row with a longer cell is rejected.
const LIMITS: Record<string, [longest: number, reason: Unread]> = {
  external_id: [LONGEST.external_id, 'too_long'],
  email: [LONGEST.email, 'invalid_address'],
  phone: [LONGEST.phone, 'invalid_address'],
  name: [LONGEST.name, 'too_long'],
  language: [LONGEST_IMPORTED_LANGUAGE, 'invalid_language'],
  timezone: [LONGEST.timezone, 'invalid_timezone'],
  [ATTRIBUTES]: [LONGEST_ATTRIBUTES, 'too_long'],
}

interface ReadPeople {
  /** Those that cannot be read are empty. */
  rows: Array<CsvPerson | Record<string, never>>
  /** Why, by their position. */
  rejected: Map<number, Unread>
  issues: Issue[]
}

/** Reads people from CSV. The first line names the columns. Empty cells are absent. */
export async function readPeopleCsv(bytes: Uint8Array, contentType?: string): Promise<ReadPeople> {
  const columns = {
    known: [...COLUMNS, ATTRIBUTES],
    ignored: LEFT_OUT,
    family: `${ATTRIBUTE}<name>`,
    oneOf: ['external_id', 'email', 'phone'],
    most: MOST_PEOPLE,
  } as const
  const rejected = new Map<number, Unread>()
  const { rows, issues } = await readCsv(
    bytes,
    columns,
    (row, index) => {
      const person = personOf(row)
      if (typeof person !== 'string') return person
      rejected.set(index, person)
      return {}
    },
    contentType,
  )
  return { rows, rejected, issues }
}

function personOf(row: CsvRow): CsvPerson | Unread {
  for (const [name, cell] of row) {
    const [longest, reason] = LIMITS[name] ?? [LONGEST.attribute, 'too_long']
    if (cell.length > longest) return reason
  }
  const person: CsvPerson = { attributes: {} }
  const text = row.get(ATTRIBUTES)
  if (text !== undefined) {
    const read = readAttributes(text)
    if (typeof read === 'string') return read
    person.attributes = read
  }
  for (const [name, cell] of row) {
    if (name === ATTRIBUTES) continue
    if (!name.startsWith(ATTRIBUTE)) person[name as (typeof COLUMNS)[number]] = cell
    // A cell has no type, so the same value of the other column stays as it is.
    else if (String(person.attributes[name.slice(ATTRIBUTE.length)]) !== cell)
      person.attributes[name.slice(ATTRIBUTE.length)] = cell
  }
  return person
}

function readAttributes(text: string): Attributes | Unread {
  const commas = commasIn(text)
  if (commas === null) return 'invalid_attributes'
  if (commas >= MOST_ATTRIBUTES) return 'too_many_attributes'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'invalid_attributes'
  }
  const read = attributes.safeParse(value)
  const isClean = read.success && Object.values(read.data).every((one) => typeof one !== 'string' || isStorable(one))
  return isClean ? (composeWithin(read.data, { left: LONGEST_ATTRIBUTES }) as Attributes) : 'invalid_attributes'
}

/** The commas between members of one object. Null if it has lists or objects, which take long to parse. */
function commasIn(text: string): number | null {
  let commas = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isQuoted && sign === '\\') at += 1
    else if (sign === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (sign === '[' || (sign === '{' && at > 0)) return null
    else if (sign === ',') commas += 1
  }
  return commas
}
