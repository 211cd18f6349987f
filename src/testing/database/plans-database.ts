import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { createPgDatabase } from '../../adapters/postgres/postgres.ts'
import { createLog } from '../../platform/config/log.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { Secret } from '../../platform/config/secrets.ts'
import type { PostgresServer } from './postgres.ts'

/** A migrated, empty database on a server. */
export async function createOwnDatabase(server: PostgresServer): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `earshot_plans_${randomUUID().slice(0, 8)}`
  await asAdmin(server, `create database ${name} template template0`)
  const url = new Secret(server.url(name))
  const database = createPgDatabase({
    url,
    migrationUrl: url,
    poolSize: 2,
    connection: 'pool',
    log: createLog('silent'),
  })
  await migrate(database)
  await database.close()
  return { url: server.url(name), drop: () => asAdmin(server, `drop database ${name} with (force)`) }
}

async function asAdmin(server: PostgresServer, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url('postgres') })
  await admin.connect()
  await admin.query(statement)
  await admin.end()
}
