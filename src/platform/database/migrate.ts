import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { isTransient } from './database.ts'
import type { DatabaseAdapter, OwnerConnection } from './database-adapter.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)
// Any constant will do, but every Earshot process must lock the same one.
const LOCK = 7_238_401
const DEADLOCK_TRIES = 10

export interface Migration {
  name: string
  text: string
  checksum: string
}

export async function readMigrations(folder: URL = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/**
 * Brings the schema to this version: forward only, each file once and in its own transaction. Other starting processes
 * wait for its lock.
 * @returns the names of the files that ran.
 * @throws Error if the user may make no tables, a file that already ran has changed, or a newer version ran files that
 * this one lacks.
 */
export async function migrate(database: DatabaseAdapter, migrations?: Migration[]): Promise<string[]> {
  const files = migrations ?? (await readMigrations())
  return database.asOwner(async (owner) => {
    const ran: string[] = []
    await owner.query('select pg_advisory_lock($1)', [LOCK])
    await requireSchema(owner)
    try {
      await owner.script(
        'create table if not exists schema_migrations (name text primary key, checksum text not null, applied_at ' +
          'timestamptz not null default now())',
      )
      const applied = new Map(
        (await owner.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations')).map(
          (row) => [row.name, row.checksum],
        ),
      )
      refuseNewerSchema([...applied.keys()], files)
      for (const file of files) {
        const known = applied.get(file.name)
        if (known === file.checksum) continue
        if (known)
          throw new Error(
            `migration ${file.name} was changed after it had run: migrations are forward only, add a new file instead`,
          )
        await applyFile(owner, file)
        ran.push(file.name)
      }
    } finally {
      await owner.query('select pg_advisory_unlock($1)', [LOCK])
    }
    return ran
  })
}

/** Whether the database is one in which this user may make tables. */
export async function ownsSchema(owner: OwnerConnection): Promise<boolean> {
  const [row] = await owner.query<{ may: boolean }>(
    `select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may`,
  )
  return row?.may === true
}

async function requireSchema(owner: OwnerConnection): Promise<void> {
  if (await ownsSchema(owner)) return
  throw new Error(
    'the user may not make tables in this database. Set DATABASE_MIGRATION_URL to its owner, or make one that the user owns: create database earshot owner earshot',
  )
}

// An older version could store values that the newer schema misreads.
function refuseNewerSchema(applied: string[], files: Migration[]): void {
  const last =
    files
      .map(({ name }) => name)
      .sort()
      .at(-1) ?? ''
  const newest = applied.toSorted().at(-1) ?? ''
  if (newest <= last) return
  throw new Error(
    `a newer version migrated the database to ${newest.replace(/\.sql$/, '')}, which this version does not know. Start that version or a later one, or restore a backup from before the upgrade.`,
  )
}

// The previous version may still serve requests. One of them and the migration can deadlock.
async function applyFile(owner: OwnerConnection, file: Migration, triesLeft = DEADLOCK_TRIES): Promise<void> {
  await owner.script('begin')
  try {
    for (const statement of statementsOf(file.text)) await owner.script(statement)
    await owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [file.name, file.checksum])
    await owner.script('commit')
  } catch (error) {
    await owner.script('rollback')
    if (isTransient(error) && triesLeft > 1) return applyFile(owner, file, triesLeft - 1)
    throw new Error(`migration ${file.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

// One at a time, because Citus sends the whole script to its nodes where it sees one statement of it.
function statementsOf(text: string): string[] {
  const parts = text.match(/(?:--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g) ?? []
  return parts.filter((part) => part.replace(/--[^\n]*/g, '').trim() !== '')
}
