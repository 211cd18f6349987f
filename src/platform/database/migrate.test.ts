import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPgDatabase } from '../../adapters/postgres/postgres.ts'
import { createDatabase } from '../../testing/harness.ts'
import type { DatabaseAdapter } from './database-adapter.ts'
import { createLog } from '../config/log.ts'
import { migrate, readMigrations, type Migration } from './migrate.ts'
import { Secret } from '../config/secrets.ts'

let database: DatabaseAdapter
let drop: () => Promise<void>
beforeEach(async () => {
  const created = await createDatabase()
  const url = new Secret(created.url)
  drop = created.drop
  database = createPgDatabase({ url, migrationUrl: url, poolSize: 2, connection: 'pool', log: createLog('silent') })
})
afterEach(async () => {
  await database.close()
  await drop()
})

test('files run in order, each once, and only the new ones later', async () => {
  const first = [file('0001-a', 'create table a (n int)'), file('0002-b', 'alter table a add m int')]
  expect(await migrate(database, first)).toEqual(['0001-a', '0002-b'])
  expect(await migrate(database, first)).toEqual([])
  expect(await migrate(database, [...first, file('0003-c', 'alter table a add o int')])).toEqual(['0003-c'])
})

test('processes that start together wait for each other instead of migrating twice', async () => {
  const files = await readMigrations()
  const ran = await Promise.all([1, 2, 3, 4].map(() => migrate(database, files)))
  expect(ran.flat().sort()).toEqual(files.map(({ name }) => name))
})

test('a file that fails leaves nothing of itself and can be tried again', async () => {
  const broken = [file('0001-a', 'create table a (n int)'), file('0002-b', 'create table b (n int); select 1 / 0')]
  await expect(migrate(database, broken)).rejects.toThrow(/0002-b failed: division by zero/)
  expect(await tables()).toEqual(['a', 'schema_migrations'])
  expect(await migrate(database, [broken[0] ?? file('', ''), file('0002-b', 'create table b (n int)')])).toEqual([
    '0002-b',
  ])
})

test('a file that was changed after it had run is refused by name', async () => {
  await migrate(database, [file('0001-a', 'create table a (n int)')])
  await expect(migrate(database, [file('0001-a', 'create table a (n bigint)')])).rejects.toThrow(/0001-a was changed/)
})

test('a schema that a newer version has made is refused, with its name and what to do, and left as it is', async () => {
  const first = file('0001-a.sql', 'create table a (n int)')
  const coming = file('0003-c.sql', 'alter table a add o int')
  await migrate(database, [first, coming])
  await expect(migrate(database, [first, file('0002-b.sql', 'create table b (n int)')])).rejects.toThrow(
    /a newer version migrated the database to 0003-c.*Start that version or a later one, or restore a backup/,
  )
  expect(await tables()).toEqual(['a', 'schema_migrations'])
  expect(await migrate(database, [first, coming])).toEqual([])
})

function file(name: string, text: string): Migration {
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}

function tables(): Promise<string[]> {
  return database.asOwner(async (owner) =>
    (
      await owner.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
      )
    ).map(({ name }) => name),
  )
}

test('migrations add foreign keys after app.isolate, because a cluster refuses them before', async () => {
  const bodies = (await readMigrations()).flatMap(({ name, text }) =>
    [...text.matchAll(/^create table [^;]*;/gim)].map(([statement]) => ({ name, statement })),
  )
  expect(bodies.length).toBeGreaterThan(40)
  expect(bodies.filter(({ statement }) => /\breferences\b/i.test(statement.replace(/--.*$/gm, '')))).toEqual([])
})
