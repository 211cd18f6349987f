import type { Issue } from '../../../http/problems/problem.ts'
import { readCsv, type CsvRow } from '../csv-import/csv-rows.ts'
import { PERSON_ONLY } from '../people/people-csv.ts'
import { MOST_RECIPIENTS } from './invitations.schema.ts'

const COLUMNS = ['email', 'phone', 'name', 'language', 'timezone', 'agent_id'] as const
const CUSTOM = 'custom.'

export interface CsvRecipient {
  email?: string
  phone?: string
  name?: string
  language?: string
  timezone?: string
  agent_id?: string
  custom_data: Record<string, string>
}

/**
 * Reads recipients from CSV. The first line names the columns: `email` or `phone`, and optionally `name`, `language`,
 * `timezone`, `agent_id` and `custom.<field>`. Empty cells are absent.
 */
export async function readRecipients(
  bytes: Uint8Array,
  contentType?: string,
): Promise<{ recipients: CsvRecipient[]; issues: Issue[] }> {
  const columns = {
    known: COLUMNS,
    // An export of people is a list of recipients too.
    ignored: PERSON_ONLY,
    family: `${CUSTOM}<field>`,
    oneOf: ['email', 'phone'],
    most: MOST_RECIPIENTS,
  } as const
  const { rows: recipients, issues } = await readCsv(bytes, columns, recipientOf, contentType)
  return { recipients, issues }
}

function recipientOf(row: CsvRow): CsvRecipient {
  const recipient: CsvRecipient = { custom_data: {} }
  for (const [name, cell] of row) {
    if (name.startsWith(CUSTOM)) recipient.custom_data[name.slice(CUSTOM.length)] = cell
    else recipient[name as (typeof COLUMNS)[number]] = cell
  }
  return recipient
}
