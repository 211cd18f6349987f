import { type RawBuilder, type ReadTx, sql } from '../../../platform/database/database.ts'
import { READ_BYTES, type ExportKey } from '../../../platform/export-source.ts'
import type { Column } from '../../../platform/fields/entity.ts'
import { responses } from '../rows/response.entity.ts'

/** The columns that an export shows as they are, in order. */
export const ABOUT = [...responses.columns].filter(([, { shown }]) => shown === true || shown === 'export')

// The exported columns of a response, as texts. JSON escapes the signs that part cells and rows, so that no word has
// them. An empty list or record is an empty cell: most are, and parsing them took longer than all else.
const CELLS: Record<string, string> = {
  ...Object.fromEntries(ABOUT.map(([name, { is }]) => [name, cellOf(name, is)])),
  custom_data: `nullif(custom_data, '{}')::text`,
  // Apart, because most rows of a survey answer the same questions.
  questions: `jsonb_path_query_array(answers, '$[*].question_id')::text`,
  values: `jsonb_path_query_array(answers, '$[*].value')::text`,
  text: `nullif(text, '[]')::text`,
}

function cellOf(name: string, { type, values }: Column['is']): string {
  if (type === 'text') return values ? name : `to_json(${name})::text`
  if (type === 'date') return `(${name} at time zone 'UTC')::text`
  if (type === 'list') return `case when ${name} <> '{}' then to_json(${name})::text end`
  return type === 'json' ? `nullif(${name}, '[]')::text` : `${name}::text`
}

const PARTS_CELLS = '\u001F'
const PARTS_ROWS = '\u001E'

const NAMES = Object.keys(CELLS)

/** The cells of a response in the order of `placeOf`. An empty text is none. */
export type ExportedCells = string[]

export function placeOf(name: string): number {
  return NAMES.indexOf(name)
}

// Prepared, because planning took as long as reading. One text, because a value of its own for each column took three
// times as long here.
const LIST = `
  select string_agg(cells, E'\\x1E' order by id) as rows from (
    select id, cells, sum(octet_length(cells)) over (order by id rows unbounded preceding) - octet_length(cells) as before
    from (
      select id, concat_ws(E'\\x1F', ${Object.values(CELLS)
        .map((cell) => `coalesce(${cell}, '')`)
        .join(', ')}) as cells
      from responses
      where tenant_id = $1 and id = any($2::uuid[]) and anonymity is null and (erased_at is null or erased_at < $3)
        and (state <> 'deleted' or ($4 and updated_at < $3)) offset 0) as texts) as summed
  where before < ${READ_BYTES}`

/** @param condition a filter on the alias `r`. Deleted ones only if it names states. */
export function selectKeys(
  tx: ReadTx,
  condition: RawBuilder<unknown>,
  { namesState }: { namesState: boolean },
): RawBuilder<ExportKey> {
  return sql<ExportKey>`
    select r.id, null::text as member from responses r
    where r.tenant_id = ${tx.tenantId} and ${namesState ? sql`true` : sql`r.state <> 'deleted'`} and ${condition}`
}

/** The first responses that nobody erased or deleted since the snapshot, to `READ_BYTES`, in the order of their ids. */
export async function listExported(
  tx: ReadTx,
  ids: string[],
  { snapshotAt, wantsDeleted }: { snapshotAt: Date; wantsDeleted: boolean },
): Promise<ExportedCells[]> {
  const [found] = await tx.prepared<{ rows: string | null }>({
    name: 'list-exported-responses',
    text: LIST,
    values: [tx.tenantId, ids, snapshotAt, wantsDeleted],
  })
  return found?.rows ? found.rows.split(PARTS_ROWS).map((row) => row.split(PARTS_CELLS)) : []
}
