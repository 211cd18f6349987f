import type { Issue } from '../../../http/problem.ts'
import { readCsv, type CsvRow } from './csv-rows.ts'
import { MOST_PEOPLE } from './people.schema.ts'

const COLUMNS = ['external_id', 'email', 'phone', 'name', 'language', 'timezone'] as const
const ATTRIBUTE = 'attribute.'

export type CsvPerson = Partial<Record<(typeof COLUMNS)[number], string>> & { attributes: Record<string, string> }

/** Reads people from CSV. The first line names the columns. Empty cells are absent. */
export async function readPeopleCsv(bytes: Uint8Array): Promise<{ rows: CsvPerson[]; issues: Issue[] }> {
  const { rows, issues } = await readCsv(bytes, {
    known: COLUMNS,
    family: `${ATTRIBUTE}<name>`,
    oneOf: ['external_id', 'email', 'phone'],
    most: MOST_PEOPLE,
  })
  return { rows: rows.map(personOf), issues }
}

function personOf(row: CsvRow): CsvPerson {
  const person: CsvPerson = { attributes: {} }
  for (const [name, cell] of row) {
    if (name.startsWith(ATTRIBUTE)) person.attributes[name.slice(ATTRIBUTE.length)] = cell
    else person[name as (typeof COLUMNS)[number]] = cell
  }
  return person
}
