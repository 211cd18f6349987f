import type pg from 'pg'

// Migrations fill the first. The second counts requests of a process that is gone.
const LEFT_OUT = ['schema_migrations', 'rate_limits']

/** Every row of a database, one a line, sorted. JSON stays as PostgreSQL wrote it: a number may be longer than JavaScript's. */
export async function readRows(owner: pg.Client): Promise<string[]> {
  const lines: string[] = []
  for (const table of await tablesOf(owner)) {
    const { rows } = await owner.query<{ row: string }>(`select row_to_json(t)::text as row from ${table} as t`)
    lines.push(...rows.map(({ row }) => `{"table":"${table}","row":${row}}`).sort())
  }
  return lines
}

/** Puts rows into a database whose tables have these columns, in place of what the tables hold. */
export async function writeRows(owner: pg.Client, lines: string[]): Promise<void> {
  await owner.query('begin')
  // Without triggers, so that no foreign key asks for an order.
  await owner.query('set local session_replication_role = replica')
  await owner.query(`truncate ${(await tablesOf(owner)).join(', ')}`)
  for (const [table, rows] of Map.groupBy(lines.map(readLine), ({ name }) => name)) {
    const columns = await columnsOf(owner, table)
    await owner.query(
      `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1::json)`,
      [`[${rows.map(({ row }) => row).join(',')}]`],
    )
  }
  await owner.query('commit')
}

function readLine(line: string): { name: string; row: string } {
  const [, name, row] = /^\{"table":"(\w+)","row":(.*)\}$/.exec(line) ?? []
  if (name === undefined || row === undefined) throw new Error(`not a row: ${line.slice(0, 100)}`)
  return { name, row }
}

async function tablesOf(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all($1) order by 1`,
    [LEFT_OUT],
  )
  return rows.map(({ name }) => name)
}

async function columnsOf(owner: pg.Client, table: string): Promise<string> {
  const { rows } = await owner.query<{ columns: string }>(
    `select string_agg(attname, ', ') as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0]?.columns ?? ''
}
