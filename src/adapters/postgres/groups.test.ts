import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import pg from 'pg'
import {
  isUniqueViolation,
  joinArrays,
  sql,
  tenantTransaction,
  type TenantTx,
} from '../../platform/database/database.ts'
import {
  type DatabaseAdapter,
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
let statements: string[] = []
beforeAll(async () => {
  cloned = await cloneDatabase()
  admin = new pg.Client({ connectionString: cloned.url })
  await admin.connect()
  await admin.query(`
    create table things (tenant_id uuid not null, kind text not null, key text not null, primary key (tenant_id, kind, key));
    select app.isolate('things')`)
  const url = new Secret(cloned.url)
  const onStatement = (text: string) => void statements.push(text)
  database = createPgDatabase({
    url,
    migrationUrl: url,
    poolSize: 4,
    connection: 'pool',
    log: createLog('silent'),
    onStatement,
  })
})
afterAll(async () => {
  await database.close()
  await admin.end()
  await cloned.drop()
})

const INSERT = `insert into things (tenant_id, kind, key) select $1, 'test', k from unnest($2::text[]) as k returning key`

describe('transactions of one tenant that come at once', () => {
  test('share a commit, and each gets its own result', async () => {
    const tenantId = newId('workspace')
    const seen = await Promise.all(
      numbers(20).map((n) => grouped(tenantId, async (tx) => ({ n, xact: await transactionOf(tx) }))),
    )
    expect(seen.map(({ n }) => n)).toEqual(numbers(20))
    expect(new Set(seen.map(({ xact }) => xact)).size).toBe(1)
  })

  test('do not share it with another tenant', async () => {
    const [a, b] = await Promise.all(numbers(2).map(() => grouped(newId('workspace'), transactionOf)))
    expect(a).not.toBe(b)
  })

  test('keep what the others wrote when one gives up before it wrote anything', async () => {
    const tenantId = newId('workspace')
    const results = await Promise.allSettled(
      numbers(6).map((n) =>
        grouped(tenantId, async (tx) => {
          tx.atCommit({ name: 'insert-test', text: INSERT, values: [tenantId, [`${n}`]] })
          await tx.prepared({ name: 'look', text: 'select 1 as one', values: [] })
          if (n === 3) throw new Error('changed my mind')
        }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(numbers(6).map((n) => (n === 3 ? 'rejected' : 'fulfilled')))
    expect(await keysOf(tenantId)).toEqual(['0', '1', '2', '4', '5'])
  })

  test('keep nothing of one that gave up after it had written', async () => {
    const tenantId = newId('workspace')
    await Promise.allSettled(
      numbers(4).map((n) =>
        grouped(tenantId, async (tx) => {
          await tx.prepared({ name: 'insert-now', text: INSERT, values: [tenantId, [`${n}`]] })
          if (n === 1) throw new Error('changed my mind')
        }),
      ),
    )
    expect(await keysOf(tenantId)).toEqual(['0', '2', '3'])
  })

  test('fail alone where only one of them breaks a rule of the database, with its own error', async () => {
    const tenantId = newId('workspace')
    await admin.query(`insert into things (tenant_id, kind, key) values ($1, 'test', $2)`, [tenantId, 'taken'])
    const effects: number[] = []
    const results = await Promise.allSettled(
      numbers(5).map((n) =>
        grouped(tenantId, async (tx) => {
          tx.afterCommit(() => effects.push(n))
          tx.atCommit(
            { name: 'insert-test', text: INSERT, values: [tenantId, [n === 2 ? 'taken' : `${n}`]] },
            {
              refuse: (error) => (isUniqueViolation(error) ? new Error('taken already') : error),
            },
          )
        }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(numbers(5).map((n) => (n === 2 ? 'rejected' : 'fulfilled')))
    expect(results[2]).toMatchObject({ reason: { message: 'taken already' } })
    expect(await keysOf(tenantId)).toHaveLength(5)
    expect(effects.toSorted()).toEqual([0, 1, 3, 4])
  })

  test('undo what they began before they run again, and not inside a transaction', async () => {
    const tenantId = newId('workspace')
    await admin.query(`insert into things (tenant_id, kind, key) values ($1, 'test', $2)`, [tenantId, 'taken'])
    const undone: Array<Promise<unknown>> = []
    await Promise.allSettled(
      numbers(3).map((n) =>
        grouped(tenantId, async (tx) => {
          tx.afterRollback(() => undone.push(tenantTransaction(database.open(), tenantId, async () => n)))
          tx.atCommit({ name: 'insert-test', text: INSERT, values: [tenantId, [n === 2 ? 'taken' : `${n}`]] })
        }),
      ),
    )
    // Each of the group, and the last again where it failed alone.
    expect((await Promise.all(undone)).toSorted()).toEqual([0, 1, 2, 2])
  })

  test('take turns where they lock the same thing', async () => {
    const tenantId = newId('workspace')
    await admin.query(`insert into things (tenant_id, kind, key) values ($1, 'counter', '0')`, [tenantId])
    const work = async (tx: TenantTx) => {
      const { key } = await tx.one<{ key: string }>(
        sql`select key from things where tenant_id = ${tenantId} and kind = 'counter' for update`,
      )
      tx.atCommit({
        name: 'count',
        text: `update things set key = $2 where tenant_id = $1 and kind = 'counter'`,
        values: [tenantId, String(Number(key) + 1)],
      })
    }
    await Promise.all(numbers(10).map(() => tenantTransaction(database.open(), tenantId, work, { locks: 'counter' })))
    expect(await keysOf(tenantId, 'counter')).toEqual(['10'])
  })

  test('ask once for what several read, and leave combined statements to the end', async () => {
    const tenantId = newId('workspace')
    statements = []
    const heard: string[][] = []
    await Promise.all(
      numbers(3).map((n) =>
        grouped(tenantId, async (tx) => {
          await tx.prepared({ name: 'look-at-tenant', text: 'select $1::uuid as id', values: [tenantId] })
          const rows = (inserted: Array<{ key: string }>) => void heard.push(inserted.map(({ key }) => key))
          tx.atCommit(
            { name: 'insert-combined', text: INSERT, values: [tenantId, [`combined ${n}`]], combine: joinArrays },
            { rows },
          )
          tx.atCommit({ name: 'insert-test', text: INSERT, values: [tenantId, [`single ${n}`]] })
        }),
      ),
    )
    expect(statements).toEqual(['select $1::uuid as id', INSERT, INSERT, INSERT, INSERT])
    expect(heard).toEqual(numbers(3).map(() => numbers(3).map((n) => `combined ${n}`)))
  })

  test('store nothing of one whose last statement cannot be sent, and the others once', async () => {
    const tenantId = newId('workspace')
    const circle: Record<string, unknown> = {}
    circle['self'] = circle
    const work = (n: number) => async (tx: TenantTx) => {
      tx.atCommit({ name: 'insert-test', text: INSERT, values: [tenantId, [`${n}`]] })
      if (n === 2) tx.atCommit({ name: 'insert-circle', text: INSERT, values: [tenantId, circle] })
    }
    const results = await Promise.allSettled(numbers(4).map((n) => grouped(tenantId, work(n))))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await keysOf(tenantId)).toEqual(['0', '1', '3'])
    await expect(tenantTransaction(database.open(), tenantId, work(2))).rejects.toThrow('circular')
    expect(await keysOf(tenantId)).toEqual(['0', '1', '3'])
  })

  test('store nothing of what one still writes after it has failed', async () => {
    const tenantId = newId('workspace')
    const results = await Promise.allSettled(
      numbers(3).map((n) =>
        grouped(tenantId, async (tx) => {
          if (n !== 1) {
            for (const step of numbers(5))
              await tx.prepared({ name: 'step', text: 'select $1::int as step', values: [n * 10 + step] })
            tx.atCommit({ name: 'insert-test', text: INSERT, values: [tenantId, [`${n}`]] })
            return
          }
          const failing = tx.prepared({ name: 'one', text: 'select 1 as one', values: [] }).then(() => {
            throw new Error('no')
          })
          const writing = tx
            .prepared({ name: 'two', text: 'select 2 as two', values: [] })
            .then(() => tx.prepared({ name: 'three', text: 'select 3 as three', values: [] }))
            .then(() => tx.prepared({ name: 'insert-now', text: INSERT, values: [tenantId, ['late']] }))
          await Promise.all([failing, writing])
        }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await keysOf(tenantId)).toEqual(['0', '2'])
  })

  test('see what they have written themselves', async () => {
    const tenantId = newId('workspace')
    const count = async (tx: TenantTx) =>
      (
        await tx.prepared<{ n: number }>({
          name: 'count-things',
          text: 'select count(*)::int as n from things where tenant_id = $1',
          values: [tenantId],
        })
      )[0]?.n ?? 0
    const seen = await Promise.all(
      numbers(2).map((n) =>
        grouped(tenantId, async (tx) => {
          const before = await count(tx)
          await tx.prepared({ name: 'insert-now', text: INSERT, values: [tenantId, [`${n}`]] })
          return [before, await count(tx)]
        }),
      ),
    )
    for (const [before = 0, after = 0] of seen) expect(after).toBeGreaterThan(before)
  })

  test('are not held up by those that wait for a lock, and wait for it without a deadlock', async () => {
    const tenantId = newId('workspace')
    await admin.query(
      `insert into things (tenant_id, kind, key) values ($1, 'row', '1'), ($1, 'row', '2'), ($1, 'row', '3')`,
      [tenantId],
    )
    await admin.query('begin')
    await admin.query(`select from things where tenant_id = $1 and kind = 'row' for update`, [tenantId])
    const stuck = ['3', '2', '1'].map((key) =>
      tenantTransaction(
        database.open(),
        tenantId,
        (tx) =>
          tx.many<{ key: string }>(
            sql`select key from things where tenant_id = ${tenantId} and kind = 'row' and key = ${key} for update`,
          ),
        { locks: key },
      ),
    )
    await Promise.all(
      numbers(20).map((n) =>
        grouped(tenantId, async (tx) =>
          tx.atCommit({ name: 'insert-test', text: INSERT, values: [tenantId, [`${n}`]] }),
        ),
      ),
    )
    expect(await keysOf(tenantId)).toHaveLength(20)
    await admin.query('rollback')
    expect(await Promise.all(stuck)).toEqual([[{ key: '3' }], [{ key: '2' }], [{ key: '1' }]])
  })

  test('run in the context of their caller, and refuse a transaction inside', async () => {
    const tenantId = newId('workspace')
    const store = new AsyncLocalStorage<number>()
    const seen = await Promise.all(
      numbers(4).map((n) => store.run(n, () => grouped(tenantId, async () => store.getStore()))),
    )
    expect(seen).toEqual([0, 1, 2, 3])
    const nested = grouped(tenantId, () => tenantTransaction(database.open(), tenantId, async () => 'ran'))
    await expect(nested).rejects.toThrow(NestedTransactionError)
  })

  test('are all unavailable when their connection is lost, and the next ones work', async () => {
    const tenantId = newId('workspace')
    const lost = await Promise.allSettled(
      numbers(3).map((n) =>
        grouped(tenantId, async (tx) => {
          const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
          if (n === 0) await admin.query('select pg_terminate_backend($1)', [pid])
          await tx.many(sql`select 1`)
        }),
      ),
    )
    for (const result of lost)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailableError) })
    expect(await grouped(tenantId, async () => 'ran')).toBe('ran')
  })
})

function grouped<T>(tenantId: TenantId, work: (tx: TenantTx) => Promise<T>): Promise<T> {
  return tenantTransaction(database.open(), tenantId, work, { locks: undefined })
}

async function transactionOf(tx: TenantTx): Promise<string> {
  return (await tx.one<{ id: string }>(sql`select pg_current_xact_id()::text as id`)).id
}

async function keysOf(tenantId: TenantId, kind = 'test'): Promise<string[]> {
  const { rows } = await admin.query<{ key: string }>(
    'select key from things where tenant_id = $1 and kind = $2 order by key',
    [tenantId, kind],
  )
  return rows.map(({ key }) => key)
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}
