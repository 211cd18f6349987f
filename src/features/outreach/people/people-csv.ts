import type { Issue } from '../../../http/problem.ts'
import { readCsv, type CsvRow } from './csv-rows.ts'
import type { Rejection } from './given-person.ts'
import { LONGEST, LONGEST_IMPORTED_LANGUAGE, MOST_PEOPLE } from './people.schema.ts'

const COLUMNS = ['external_id', 'email', 'phone', 'name', 'language', 'timezone'] as const
const ATTRIBUTE = 'attribute.'

/** Why a row cannot be imported. `too_long`: a cell has too many characters, and no other reason says so. */
export type Unread = Rejection | 'too_long'

type CsvPerson = Partial<Record<(typeof COLUMNS)[number], string>> & { attributes: Record<string, string> }

// The reason why a row with a longer cell is rejected.
const LIMITS: Record<(typeof COLUMNS)[number], [longest: number, reason: Unread]> = {
  external_id: [LONGEST.external_id, 'too_long'],
  email: [LONGEST.email, 'invalid_address'],
  phone: [LONGEST.phone, 'invalid_address'],
  name: [LONGEST.name, 'too_long'],
  language: [LONGEST_IMPORTED_LANGUAGE, 'invalid_language'],
  timezone: [LONGEST.timezone, 'invalid_timezone'],
}

interface ReadPeople {
  /** Those with a cell that is too long are empty. */
  rows: Array<CsvPerson | Record<string, never>>
  /** Why, by their position. */
  rejected: Map<number, Unread>
  issues: Issue[]
}

/** Reads people from CSV. The first line names the columns. Empty cells are absent. */
export async function readPeopleCsv(bytes: Uint8Array): Promise<ReadPeople> {
  const columns = {
    known: COLUMNS,
    family: `${ATTRIBUTE}<name>`,
    oneOf: ['external_id', 'email', 'phone'],
    most: MOST_PEOPLE,
  } as const
  const rejected = new Map<number, Unread>()
  const { rows, issues } = await readCsv(bytes, columns, (row, index) => {
    const reason = tooLong(row)
    if (reason === null) return personOf(row)
    rejected.set(index, reason)
    return {}
  })
  return { rows, rejected, issues }
}

function tooLong(row: CsvRow): Unread | null {
  for (const [name, cell] of row) {
    const isAttribute = name.startsWith(ATTRIBUTE)
    const [longest, reason] = isAttribute
      ? ([LONGEST.attribute, 'too_long'] as const)
      : LIMITS[name as (typeof COLUMNS)[number]]
    if (cell.length > longest) return reason
  }
  return null
}

function personOf(row: CsvRow): CsvPerson {
  const person: CsvPerson = { attributes: {} }
  for (const [name, cell] of row) {
    if (name.startsWith(ATTRIBUTE)) person.attributes[name.slice(ATTRIBUTE.length)] = cell
    else person[name as (typeof COLUMNS)[number]] = cell
  }
  return person
}
