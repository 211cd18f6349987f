import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { tenantTransaction, type TenantTx } from '../../platform/database/database.ts'
import {
  type DatabaseAdapter,
  type DatabaseHandle,
  DatabaseUnavailableError,
  NestedTransactionError,
} from '../../platform/database/database-adapter.ts'
import { newId, type TenantId } from '../../platform/ids.ts'
import { createLog } from '../../platform/config/log.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { cloneDatabase } from '../../testing/harness.ts'
import { createPgDatabase } from './postgres.ts'

let cloned: Awaited<ReturnType<typeof cloneDatabase>>
let admin: pg.Client
let database: DatabaseAdapter
beforeAll(async () => {
  cloned = await cloneDatabase()
  admin = new pg.Client({ connectionString: cloned.url })
  await admin.connect()
  await admin.query(`
    create table things (tenant_id uuid not null, key text not null, backend integer not null default pg_backend_pid(), primary key (tenant_id, key));
    select app.isolate('things')`)
  database = open('pool')
})
afterAll(async () => {
  await database.close()
  await admin.end()
  await cloned.drop()
})

const INSERT = 'insert into things (tenant_id, key) values ($1, $2) returning key, backend'

test('transactions of many tenants leave together on one connection, each in its own scope', async () => {
  const tenants = numbers(20).map(() => newId('workspace'))
  const written = await Promise.all(tenants.map((tenantId) => insert(tenantId, 'one')))
  expect(new Set(written.map(({ backend }) => backend)).size).toBe(1)
  for (const tenantId of tenants) expect(await keysOf(tenantId)).toEqual(['one'])
  const [mine = newId('workspace'), foreign = newId('workspace')] = tenants
  await expect(
    atCommit(database.open(), mine, (tx) =>
      tx.atCommit({ name: 'insert-thing', text: INSERT, values: [foreign, 'two'] }),
    ),
  ).rejects.toThrow(/row-level security/)
})

test('one that fails takes nothing of the others with it, before it or after it', async () => {
  const tenantId = newId('workspace')
  await admin.query(`insert into things (tenant_id, key) values ($1, '3')`, [tenantId])
  const results = await Promise.allSettled(numbers(6).map((n) => insert(tenantId, `${n}`)))
  expect(results.map(({ status }) => status)).toEqual(numbers(6).map((n) => (n === 3 ? 'rejected' : 'fulfilled')))
  expect(results[3]).toMatchObject({ reason: { code: '23505' } })
  expect(await keysOf(tenantId)).toEqual(['0', '1', '2', '3', '4', '5'])
})

test('nothing is kept of a transaction whose last statement fails', async () => {
  const tenantId = newId('workspace')
  const failed = atCommit(database.open(), tenantId, (tx) => {
    tx.atCommit({ name: 'insert-thing', text: INSERT, values: [tenantId, 'one'] })
    tx.atCommit(
      { name: 'divide', text: 'select 1 / $1::int', values: [0] },
      { refuse: () => new Error('nothing is divided by zero') },
    )
  })
  await expect(failed).rejects.toThrow('nothing is divided by zero')
  expect(await keysOf(tenantId)).toEqual([])
})

test('one that cannot be sent is refused, and those behind it are stored once', async () => {
  const tenantId = newId('workspace')
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  const results = await Promise.allSettled(
    numbers(4).map((n) =>
      atCommit(database.open(), tenantId, (tx) => {
        tx.atCommit({ name: 'insert-thing', text: INSERT, values: [tenantId, `${n}`] })
        if (n === 1) tx.atCommit({ name: 'insert-circle', text: INSERT, values: [tenantId, circle] })
      }),
    ),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await keysOf(tenantId)).toEqual(['0', '2', '3'])
})

test('those that wait for a lock hold up nobody else', async () => {
  const locked = newId('workspace')
  await admin.query(`insert into things (tenant_id, key) values ($1, 'one'), ($1, 'two')`, [locked])
  await admin.query('begin')
  await admin.query('select from things where tenant_id = $1 for update', [locked])
  const stuck = ['one', 'two'].map((key) =>
    atCommit(database.open(), locked, (tx) =>
      tx.atCommit({
        name: 'rename',
        text: `update things set key = key || '!' where tenant_id = $1 and key = $2`,
        values: [locked, key],
      }),
    ),
  )
  const others = numbers(20).map(() => newId('workspace'))
  await Promise.all(others.map((tenantId) => insert(tenantId, 'one')))
  await admin.query('rollback')
  await Promise.all(stuck)
  expect(await keysOf(locked)).toEqual(['one!', 'two!'])
})

test('all are unavailable when their connection is lost, and the next ones work', async () => {
  const tenantId = newId('workspace')
  const lost = await Promise.allSettled([
    insert(tenantId, 'before'),
    atCommit(database.open(), tenantId, (tx) =>
      tx.atCommit({ name: 'sleep', text: 'select pg_sleep(30)', values: [] }, { rows: () => {} }),
    ),
    insert(tenantId, 'after'),
    cutSleeping(),
  ])
  expect(lost.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  for (const result of lost.slice(1, 3)) expect(result).toMatchObject({ reason: expect.any(DatabaseUnavailableError) })
  expect(await keysOf(tenantId)).toEqual(['before'])
  expect((await insert(tenantId, 'next')).key).toBe('next')
})

test('who waits for rows does not stand behind who only stores some', async () => {
  const tenantId = newId('workspace')
  const stored = atCommit(database.open(), tenantId, (tx) =>
    tx.atCommit({ name: 'sleep', text: 'select pg_sleep(30)', values: [] }),
  )
  stored.catch(() => {})
  expect((await insert(tenantId, 'one')).key).toBe('one')
  await cutSleeping()
  await expect(stored).rejects.toThrow(DatabaseUnavailableError)
})

test('none is begun inside another', async () => {
  const tenantId = newId('workspace')
  await expect(tenantTransaction(database.open(), tenantId, () => insert(tenantId, 'one'))).rejects.toThrow(
    NestedTransactionError,
  )
})

test("with a connection for each request it is that connection's next transaction", async () => {
  const own = open('request')
  const handle = own.open()
  const tenantId = newId('workspace')
  await atCommit(handle, tenantId, (tx) =>
    tx.atCommit({ name: 'insert-thing', text: INSERT, values: [tenantId, 'one'] }),
  )
  expect(await keysOf(tenantId)).toEqual(['one'])
  await handle.release()
  await own.close()
})

interface Thing {
  key: string
  backend: number
}

async function insert(tenantId: TenantId, key: string): Promise<Thing> {
  const inserted = await atCommit(database.open(), tenantId, (tx) => {
    const things: Thing[] = []
    tx.atCommit<Thing>(
      { name: 'insert-thing', text: INSERT, values: [tenantId, key] },
      { rows: (rows) => void things.push(...rows) },
    )
    return things
  })
  return inserted[0] ?? { key: '', backend: 0 }
}

async function cutSleeping(): Promise<void> {
  const cut = async () =>
    (
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where query = 'select pg_sleep(30)' and datname = current_database()`,
      )
    ).rowCount
  await expect.poll(cut).toBe(1)
}

async function keysOf(tenantId: TenantId): Promise<string[]> {
  return (await admin.query<Thing>('select key from things where tenant_id = $1 order by key', [tenantId])).rows.map(
    ({ key }) => key,
  )
}

function open(connection: 'pool' | 'request'): DatabaseAdapter {
  const url = new Secret(cloned.url)
  return createPgDatabase({ url, migrationUrl: url, poolSize: 4, connection, log: createLog('silent') })
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}

/** A transaction that knows all its statements before it begins. */
function atCommit<T>(handle: DatabaseHandle, tenantId: TenantId, plan: (tx: TenantTx) => T): Promise<T> {
  return tenantTransaction(handle, tenantId, async (tx) => plan(tx))
}
