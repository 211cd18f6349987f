import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createPgDatabase } from '../../adapters/postgres/postgres.ts'
import { sql, systemTransaction } from './database.ts'
import { createLog } from '../config/log.ts'
import { migrate } from './migrate.ts'
import { Secret } from '../config/secrets.ts'

const OWNER = `earshot_owner_${process.pid}`
let admin: pg.Client
beforeAll(async () => {
  admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`create role ${OWNER} login createrole`)
  await admin.query(`create database ${OWNER} owner ${OWNER}`)
})
afterAll(async () => {
  await admin.query(`drop database ${OWNER} with (force)`)
  await admin.query(`revoke earshot_app from ${OWNER}`).catch(() => {})
  await admin.query(`drop owned by ${OWNER} cascade`)
  await admin.query(`drop role ${OWNER}`)
  await admin.end()
})

// The roles of the cluster exist by now and belong to somebody else, as they do for a second database:
// their administrator has to let this owner in, which docs/operations.md says.
test('an owner that is no superuser, as docs/operations.md sets it up, migrates and becomes the application', async () => {
  await admin.query(
    `grant earshot_app, earshot_tenant, earshot_system to ${OWNER} with admin true, inherit false, set false`,
  )
  const url = new Secret(
    inject('postgresUrl')
      .replace('postgres@', `${OWNER}@`)
      .replace(/\/postgres(\?|$)/, `/${OWNER}$1`),
  )
  const database = createPgDatabase({
    url,
    migrationUrl: url,
    poolSize: 2,
    connection: 'pool',
    log: createLog('silent'),
  })
  expect(await migrate(database)).toContain('0001-foundation.sql')
  expect(await systemTransaction(database.open(), (tx) => tx.many(sql`select name from sweeps`))).toEqual([])
  await database.close()
})

test('a login that fails names the setting that has it', async () => {
  const right = new Secret(inject('postgresUrl'))
  const wrong = new Secret(inject('postgresUrl').replace('postgres@', 'nobody_has_this_name@'))
  const refusalOf = async (url: Secret, migrationUrl: Secret) => {
    const log = createLog('silent')
    const database = createPgDatabase({ url, migrationUrl, poolSize: 2, connection: 'pool', log })
    const [asOwner, asApp] = await Promise.all([
      database.asOwner(async () => null).catch((error: Error) => error.message),
      database.ping(5_000).then(
        () => null,
        (error: Error) => error.message,
      ),
    ])
    await database.close()
    return { asOwner, asApp }
  }
  const refused = (setting: string) => `the database of ${setting} refuses Earshot`
  expect(await refusalOf(right, wrong)).toEqual({ asOwner: refused('DATABASE_MIGRATION_URL'), asApp: null })
  expect((await refusalOf(wrong, right)).asApp).toBe(refused('DATABASE_URL'))
  expect((await refusalOf(wrong, wrong)).asOwner).toBe(refused('DATABASE_URL'))
})
