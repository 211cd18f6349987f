import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest'
import pg from 'pg'
import {
  sql,
  systemTransaction,
  tenantReading,
  tenantTransaction,
  type ReadTx,
  type TenantTx,
} from '../../platform/database/database.ts'
import {
  DatabaseReleasedError,
  DatabaseUnavailableError,
  TransactionOverError,
  TransactionAbortedError,
  type DatabaseAdapter,
} from '../../platform/database/database-adapter.ts'
import { newId, type TenantId } from '../../platform/ids.ts'
import { createLog } from '../../platform/config/log.ts'
import { migrate, readMigrations } from '../../platform/database/migrate.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { cloneDatabase, createDatabase } from '../../testing/harness.ts'
import { SILENT_MS } from './connections.ts'
import { createPgDatabase } from './postgres.ts'

let cloned: Awaited<ReturnType<typeof cloneDatabase>>
let admin: pg.Client
beforeAll(async () => {
  cloned = await cloneDatabase()
  admin = new pg.Client({ connectionString: cloned.url })
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await cloned.drop()
})

let database: DatabaseAdapter
afterEach(() => database.close())

describe.each(['pool', 'request'] as const)('with DATABASE_CONNECTION=%s', (connection) => {
  beforeEach(() => {
    database = open({ connection })
  })

  test('a transaction reads and writes, and a failed one leaves nothing', async () => {
    const handle = database.open()
    await systemTransaction(handle, (tx) =>
      tx.run(sql`insert into sweeps (name, next_at) values (${connection}, now())`),
    )
    await systemTransaction(handle, async (tx) => {
      await tx.run(sql`delete from sweeps`)
      throw new Error('changed my mind')
    }).catch(() => {})
    expect(
      await systemTransaction(handle, (tx) => tx.many(sql`select name from sweeps where name = ${connection}`)),
    ).toEqual([{ name: connection }])
    await handle.release()
  })

  test('the server ends a statement before its connection is dropped', async () => {
    const handle = database.open()
    const [row] = await systemTransaction(handle, (tx) =>
      tx.many(sql<{ ms: number }>`select setting::int as ms from pg_settings where name = 'statement_timeout'`),
    )
    expect(row?.ms).toBeGreaterThan(0)
    expect(row?.ms).toBeLessThan(SILENT_MS)
    await handle.release()
  })

  test('a look-up by an index is planned as one in memory', async () => {
    const handle = database.open()
    expect(
      await systemTransaction(handle, (tx) => tx.many(sql`select current_setting('random_page_cost') as cost`)),
    ).toEqual([{ cost: '1.1' }])
    await handle.release()
  })

  test('transactions of one handle at the same time do not share what they do', async () => {
    const handle = database.open()
    const tenants = Array.from({ length: 12 }, () => newId('workspace'))
    const seen = await Promise.all(
      tenants.map((id, i) =>
        tenantTransaction(handle, id, async (tx) => {
          await tx.run(sql`insert into directory (tenant_id, kind, key) values (${id}, 'test', ${id})`)
          if (i % 2) throw new Error('odd')
          return tx.many<{ key: string }>(sql`select key from directory where kind = 'test'`)
        }).catch(() => null),
      ),
    )
    expect(seen).toEqual(tenants.map((id, i) => (i % 2 ? null : [{ key: id }])))
    const { rows } = await admin.query<{ key: string }>(
      `select key from directory where kind = 'test' and key = any($1)`,
      [tenants],
    )
    expect(rows.map(({ key }) => key).sort()).toEqual(tenants.filter((_, i) => i % 2 === 0).sort())
    await handle.release()
  })

  test.each(['latest', 'snapshot'] as const)(
    'a transaction that reads (%s) refuses a write, from any author of the statement',
    async (reads) => {
      const handle = database.open()
      const tenantId = newId('workspace')
      const writing = tenantReading(handle, tenantId, reads, (tx) =>
        tx.many(sql`insert into directory (tenant_id, kind, key) values (${tenantId}, 'test', 'x') returning key`),
      )
      await expect(writing).rejects.toMatchObject({ code: '25006' })
      expect(
        await tenantReading(handle, tenantId, reads, (tx) =>
          tx.many(sql`select key from directory where tenant_id = ${tenantId}`),
        ),
      ).toEqual([])
      await handle.release()
    },
  )

  test('work that throws at once gives its connection back', async () => {
    const handle = database.open()
    const failing = (tx: TenantTx): Promise<void> => {
      void tx.many(sql`select 1`).catch(() => {})
      throw new Error('at once')
    }
    for (let n = 0; n < 8; n++)
      await expect(tenantTransaction(handle, newId('workspace'), failing)).rejects.toThrow('at once')
    expect(await systemTransaction(handle, (tx) => tx.one(sql`select 1 as one`))).toEqual({ one: 1 })
    await handle.release()
  })

  test('a statement after the end of its transaction is refused, and what ran with COMMIT ran once', async () => {
    const handle = database.open()
    const tenantId = newId('workspace')
    const text = `insert into directory (tenant_id, kind, key) values ($1, 'test', gen_random_uuid())`
    const late = await tenantTransaction(handle, tenantId, async (tx) => {
      tx.atCommit({ name: 'insert-once', text, values: [tenantId] })
      return tx
    })
    await expect(late.many(sql`select 1`)).rejects.toThrow(TransactionOverError)
    expect(() => late.atCommit({ name: 'insert-once', text, values: [tenantId] })).toThrow(TransactionOverError)
    const { rowCount } = await admin.query(`select from directory where kind = 'test' and tenant_id = $1`, [tenantId])
    expect(rowCount).toBe(1)
    await handle.release()
  })

  test('a handle that was released refuses everything', async () => {
    const handle = database.open()
    await systemTransaction(handle, (tx) => tx.many(sql`select 1`))
    await handle.release()
    await expect(systemTransaction(handle, async () => 'ran')).rejects.toThrow(DatabaseReleasedError)
    await expect(handle.ping()).rejects.toThrow(DatabaseReleasedError)
  })

  test('a connection that is lost inside a transaction means unavailable, and the next one works', async () => {
    const handle = database.open()
    const lost = systemTransaction(handle, async (tx) => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await admin.query('select pg_terminate_backend($1)', [pid])
      return tx.many(sql`select 1`)
    })
    await expect(lost).rejects.toThrow(DatabaseUnavailableError)
    expect(await systemTransaction(handle, (tx) => tx.one(sql`select 1 as one`))).toEqual({ one: 1 })
    await handle.release()
  })

  test('an error that a caller swallowed inside a transaction is no commit', async () => {
    const handle = database.open()
    const ran: string[] = []
    const work = systemTransaction(handle, async (tx) => {
      tx.afterCommit(() => ran.push('effect'))
      await tx.run(sql`insert into sweeps (name, next_at) values (null, now())`).catch(() => {})
    })
    await expect(work).rejects.toThrow(TransactionAbortedError)
    expect(ran).toEqual([])
    await handle.release()
  })
})

test('in request mode the connection lives as long as the handle, and is made only when needed', async () => {
  database = open({ connection: 'request' })
  const count = async () =>
    (
      await admin.query(
        `select from pg_stat_activity where application_name = 'earshot' and datname = current_database()`,
      )
    ).rowCount
  const idle = database.open()
  const handle = database.open()
  expect(await count()).toBe(0)
  for (let i = 0; i < 3; i++) await systemTransaction(handle, (tx) => tx.many(sql`select 1`))
  expect(await count()).toBe(1)
  await handle.release()
  await idle.release()
  await expect.poll(count).toBe(0)
})

test('numbers and dates come as the code expects them', async () => {
  database = open({})
  const row = await systemTransaction(database.open(), (tx) =>
    tx.one(
      sql`select 9007199254740991::bigint as big, 12.5::numeric as exact, '2026-03-02'::date as day, '{a,b}'::text[] as list`,
    ),
  )
  expect(row).toEqual({ big: 9_007_199_254_740_991, exact: 12.5, day: '2026-03-02', list: ['a', 'b'] })
})

test('a scope that cannot be entered says so, instead of a later statement that was only ignored', async () => {
  const empty = await createDatabase()
  database = open({ url: empty.url })
  const handle = database.open()
  const refused = await systemTransaction(handle, (tx) => tx.many(sql`select 1`)).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(DatabaseUnavailableError)
  expect(refused).toMatchObject({ cause: { code: '3F000' } })
  await migrate(database)
  expect(await systemTransaction(handle, (tx) => tx.one(sql`select 1 as one`))).toEqual({ one: 1 })
})

test('a connection that is lost in the middle of a migration means unavailable, so that it is tried again', async () => {
  database = open({})
  const half = { name: '9999-half', checksum: 'x', text: 'select pg_terminate_backend(pg_backend_pid())' }
  await expect(migrate(database, [...(await readMigrations()), half])).rejects.toThrow(DatabaseUnavailableError)
})

test('a subscription receives messages of other processes, and again after its connection was lost', async () => {
  database = open({})
  const heard: string[] = []
  const stop = await database.subscribe('earshot_test', (payload) => heard.push(payload))
  await database.publish('earshot_test', ['one'])
  await expect.poll(() => heard).toEqual(['one'])
  const listening = `from pg_stat_activity where query = 'listen earshot_test' and state = 'idle' and datname = current_database()`
  const before = await admin.query<{ pid: number }>(`select pid, pg_terminate_backend(pid) ${listening}`)
  const again = `select ${listening} and pid <> $1`
  await expect.poll(async () => (await admin.query(again, [before.rows[0]?.pid])).rowCount).toBe(1)
  await database.publish('earshot_test', ['two'])
  await expect.poll(() => heard).toEqual(['one', 'two'])
  await stop()
})

test('calls of members leave connections for respondents and background work', async () => {
  database = open({})
  const handle = database.open()
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const begun: string[] = []
  const hold = (tenantId: TenantId) =>
    tenantReading(
      handle,
      tenantId,
      'latest',
      async (tx) => {
        await tx.many(sql`select 1`)
        begun.push(tenantId)
        await held
      },
      true,
    )
  const [mine, other] = [newId('workspace'), newId('workspace')]
  const holding = [mine, mine, mine, other, other].map(hold)
  await expect.poll(() => begun.length).toBe(2)
  expect(new Set(begun), 'one of each, of a pool of four').toEqual(new Set([mine, other]))
  expect(database.usage()?.waiting, 'those who wait for the connections of members').toBe(3)
  expect(await tenantReading(handle, mine, 'latest', (tx) => tx.many(sql`select 1 as one`))).toEqual([{ one: 1 }])
  expect(await systemTransaction(handle, (tx) => tx.many(sql`select 1 as one`))).toEqual([{ one: 1 }])
  expect(begun).toHaveLength(2)
  letGo()
  await Promise.all(holding)
  expect(begun).toHaveLength(5)
  await handle.release()
})

test('a look-up ends in the database when its caller has gone, and the next call has a connection', async () => {
  database = open({})
  const handle = database.open()
  const tenantId = newId('workspace')
  const sleeping = async () => {
    const rows = await admin.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query like '%pg_sleep(20)%'`,
    )
    return rows.rowCount
  }
  const gone = new AbortController()
  const sleep = (tx: ReadTx) => tx.many(sql`select pg_sleep(20)`)
  const looking = tenantReading(handle, tenantId, 'latest', sleep, true, gone.signal)
  looking.catch(() => {})
  await expect.poll(sleeping).toBe(1)
  gone.abort()
  await expect(looking).rejects.toMatchObject({
    name: 'CallerGoneError',
    cause: { message: 'canceling statement due to user request' },
  })
  await expect.poll(sleeping).toBe(0)
  expect(await tenantReading(handle, tenantId, 'latest', (tx) => tx.many(sql`select 1 as one`), true)).toHaveLength(1)
  const after = tenantReading(handle, tenantId, 'latest', sleep, true, gone.signal)
  await expect(after, 'it does not even begin').rejects.toThrow('the caller has gone')
  expect(database.usage()?.waiting).toBe(0)
  await handle.release()
})

test('a look-up of a member has less time than other statements', async () => {
  database = open({})
  const handle = database.open()
  const limit = async (ofMember: boolean) => {
    const read = (tx: ReadTx) =>
      tx.one(sql<{ ms: number }>`select setting::int as ms from pg_settings where name = 'statement_timeout'`)
    return (await tenantReading(handle, newId('workspace'), 'latest', read, ofMember)).ms
  }
  expect(await limit(true)).toBeLessThan(await limit(false))
  expect(await limit(false)).toBeLessThan(SILENT_MS)
  await handle.release()
})

function open(options: { connection?: 'pool' | 'request'; url?: string }): DatabaseAdapter {
  const url = new Secret(options.url ?? cloned.url)
  return createPgDatabase({
    url,
    migrationUrl: url,
    poolSize: 4,
    connection: options.connection ?? 'pool',
    log: createLog('silent'),
  })
}
