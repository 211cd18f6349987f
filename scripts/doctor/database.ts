import type { OwnerConnection } from '../../src/platform/database/database-adapter.ts'
import { sql } from '../../src/platform/database/database.ts'
import { ownsSchema, readMigrations } from '../../src/platform/database/migrate.ts'
import type { Services } from '../../src/services.ts'
import { explain, readClock } from '../command.ts'
import { fail, ok, warn, type Finding } from './finding.ts'

const OLDEST = 15
const SLOW_MS = 50
const CLOCK_MS = 2_000
const LATE_MS = 600_000
const ROLES = ['earshot_app', 'earshot_tenant', 'earshot_system']

/** Version, grants, schema, clock and background work. */
export async function lookAtDatabase(services: Services): Promise<Finding[]> {
  const { database } = services
  const schema = await database.asOwner(lookAtSchema)
  const isNew = schema.state === 'warn' && schema.says.startsWith('empty')
  return [
    database.kind === 'pglite'
      ? warn('database', 'the embedded database', 'It is for trying. Set DATABASE_URL for everything else.')
      : await database.asOwner(lookAtServer),
    schema,
    ...(isNew ? [] : [await lookAtGrants(services), await lookAtSweeps(services)]),
    await lookAtClock(services),
  ]
}

async function lookAtServer(owner: OwnerConnection): Promise<Finding> {
  const [row] = await owner.query<{ version: string; number: string; rolsuper: boolean; rolbypassrls: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num') as number, rolsuper, rolbypassrls
     from pg_roles where rolname = session_user`,
  )
  if (!row) return fail('database', 'PostgreSQL does not say who is logged in', 'Check the user of DATABASE_URL.')
  if (Number(row.number) < OLDEST * 10_000)
    return fail('database', `PostgreSQL ${row.version} is too old`, `Upgrade to ${OLDEST} or newer.`)
  if (row.rolsuper || row.rolbypassrls)
    return warn(
      'database',
      `PostgreSQL ${row.version}, and its migrations log in as a superuser or as a role that bypasses row level security`,
      'Create an ordinary owner (docs/operations.md, "PostgreSQL"). The application itself enters its own roles.',
    )
  return ok('database', `PostgreSQL ${row.version}`)
}

async function lookAtSchema(owner: OwnerConnection): Promise<Finding> {
  const [{ exists } = { exists: false }] = await owner.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  )
  const files = await readMigrations()
  if (!exists && !(await ownsSchema(owner)))
    return fail(
      'schema',
      'empty, and this user may not make tables',
      'Set DATABASE_MIGRATION_URL to the owner of the database (docs/operations.md, "PostgreSQL").',
    )
  if (!exists) return warn('schema', 'empty', 'The first start makes it.')
  const rows = await owner.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations')
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const known = new Set(files.map(({ name }) => name))
  const newer = [...applied.keys()].filter((name) => !known.has(name))
  const changed = files.filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  const waiting = files.filter(({ name }) => !applied.has(name))
  if (newer.length > 0)
    return fail('schema', `a newer version made ${newer.join(', ')}`, 'Start that version, or restore a backup.')
  if (changed.length > 0)
    return fail(
      'schema',
      `${changed.map(({ name }) => name).join(', ')} changed after it had run`,
      'Use the files of the released version.',
    )
  if (waiting.length > 0)
    return warn('schema', `${waiting.length} migrations are waiting`, 'Back up. The next start runs them.')
  return ok('schema', `${applied.size} migrations, all of this version`)
}

async function lookAtGrants({ database, run }: Services): Promise<Finding> {
  try {
    const missing = await database.asOwner(async (owner) => {
      const rows = await owner.query<{ name: string }>(
        'select name from unnest($1::text[]) as given(name) where to_regrole(name) is null',
        [ROLES],
      )
      return rows.map(({ name }) => name)
    })
    if (missing.length > 0)
      return fail(
        'grants',
        `the roles ${missing.join(', ')} are missing`,
        'Create them (docs/operations.md, "Backup and restore").',
      )
    await run((system) => system.tx((tx) => tx.many(sql`select name from sweeps limit 1`)))
    return ok('grants', 'the application enters its roles')
  } catch (error) {
    return fail(
      'grants',
      `the application cannot enter its roles: ${explain(error)}`,
      'Grant earshot_app, earshot_tenant and earshot_system to the user of DATABASE_URL.',
    )
  }
}

async function lookAtClock({ database }: Services): Promise<Finding> {
  const { now, roundTripMs } = await readClock(database)
  const apartMs = Math.abs(Date.now() - roundTripMs / 2 - now.getTime())
  if (apartMs > CLOCK_MS)
    return warn(
      'clock',
      `this machine and the database are ${(apartMs / 1000).toFixed(1)} s apart`,
      'Run NTP on both. Earshot follows the database, and signatures of webhooks have its time.',
    )
  if (roundTripMs > SLOW_MS)
    return warn(
      'clock',
      `right, but the database takes ${roundTripMs.toFixed(0)} ms to answer`,
      'Put both into one data centre: a submission waits for a few such answers.',
    )
  return ok('clock', `within ${Math.ceil(apartMs)} ms of the database, which answers in ${roundTripMs.toFixed(1)} ms`)
}

async function lookAtSweeps({ run, clock }: Services): Promise<Finding> {
  const rows = await run((system) =>
    system.tx((tx) =>
      tx.many(sql<{ name: string; next_at: Date; last_error: string | null }>`
        select name, next_at, last_error from sweeps order by next_at`),
    ),
  )
  const [oldest] = rows
  if (!oldest) return warn('worker', 'no worker has run yet', 'Start the server with ROLE=all or ROLE=worker.')
  const lateMs = clock.now().getTime() - oldest.next_at.getTime()
  if (lateMs > LATE_MS)
    return warn(
      'worker',
      `${oldest.name} is ${Math.round(lateMs / 60_000)} minutes late`,
      'Start a process with ROLE=all or ROLE=worker. Nothing is delivered without one.',
    )
  const failing = rows.filter(({ last_error }) => last_error !== null).map(({ name }) => name)
  if (failing.length > 0)
    return warn('worker', `the last run of ${failing.join(', ')} failed`, 'The log of the worker has the reason.')
  return ok('worker', 'background work is on time')
}
