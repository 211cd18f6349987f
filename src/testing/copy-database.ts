import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

/**
 * Dumps a database and restores it into another, empty one, as docs/operations.md tells operators to. A `pg_dump`
 * older than the server refuses to; without a fitting one the schema comes from `makeSchema` and the rows as JSON.
 * @returns how it was done.
 */
export async function copyDatabase(from: string, to: string, makeSchema: () => Promise<unknown>): Promise<'pg_dump' | 'rows'> {
  if (dumpVersion() >= (await serverVersion(from))) {
    const folder = await mkdtemp(join(tmpdir(), 'ear-dump-'))
    const file = join(folder, 'earshot.dump')
    try {
      execFileSync('pg_dump', ['--format=custom', `--file=${file}`, from], { stdio: 'pipe' })
      execFileSync('pg_restore', ['--exit-on-error', `--dbname=${to}`, file], { stdio: 'pipe' })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    return 'pg_dump'
  }
  await makeSchema()
  await copyRows(from, to)
  return 'rows'
}

function dumpVersion(): number {
  try {
    return Number(/\) (\d+)/.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1] ?? 0)
  } catch {
    return 0
  }
}

async function serverVersion(url: string): Promise<number> {
  return connected(url, async (client) =>
    Math.floor(Number((await client.query<{ v: string }>(`select current_setting('server_version_num') as v`)).rows[0]?.v) / 10_000),
  )
}

async function copyRows(from: string, to: string): Promise<void> {
  await connected(from, (source) =>
    connected(to, async (target) => {
      const tables = await source.query<{ name: string; columns: string }>(`
        select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
        from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        group by c.relname`)
      await target.query(`begin; set local session_replication_role = replica`)
      for (const { name, columns } of tables.rows) {
        const dumped = await source.query<{ rows: string }>(`select coalesce(json_agg(t), '[]')::text as rows from (select ${columns} from ${name}) as t`)
        await target.query(`delete from ${name}`)
        await target.query(`insert into ${name} (${columns}) select ${columns} from json_populate_recordset(null::${name}, $1)`, [dumped.rows[0]?.rows])
      }
      await target.query('commit')
    }),
  )
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
