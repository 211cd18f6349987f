import type { TestProject } from 'vitest/node'
import pg from 'pg'
import { createPgDatabase } from '../adapters/postgres/postgres.ts'
import { createLog } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { Secret } from '../platform/secrets.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    templateDatabase: string
  }
}

/** One server for the whole run, and one migrated template for each test file to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const template = `earshot_template_${process.pid}`
  const admin = new pg.Client({ connectionString: server.url('postgres') })
  await admin.connect()
  await admin.query(`create database ${template}`)
  await admin.end()
  const url = new Secret(server.url(template))
  const database = createPgDatabase({
    url,
    migrationUrl: url,
    poolSize: 2,
    connection: 'pool',
    log: createLog('silent'),
  })
  await migrate(database)
  await database.close()
  project.provide('postgresUrl', server.url('postgres'))
  project.provide('templateDatabase', template)
  return async () => {
    await dropDatabases(server.url('postgres'), `earshot_%_${process.pid}%`)
    await server.stop()
  }
}

async function dropDatabases(url: string, pattern: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const found = await admin.query<{ datname: string }>('select datname from pg_database where datname like $1', [
    pattern,
  ])
  for (const { datname } of found.rows) await admin.query(`drop database if exists ${datname} with (force)`)
  await admin.end()
}
