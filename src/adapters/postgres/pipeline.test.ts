import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemTransaction, tenantTransaction, type SystemTx } from '../../platform/database/database.ts'
import type { DatabaseAdapter } from '../../platform/database/database-adapter.ts'
import { newId } from '../../platform/ids.ts'
import { createLog } from '../../platform/config/log.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { cloneDatabase } from '../../testing/harness.ts'
import { createPgDatabase } from './postgres.ts'
import { parameterOf } from './parameters.ts'

// One connection by way of a line that counts what the server is asked to answer: each Sync is a round trip.
let cloned: Awaited<ReturnType<typeof cloneDatabase>>
let database: DatabaseAdapter
let syncs = 0
const line = createServer((client) => {
  const url = new URL(cloned.url)
  const folder = url.searchParams.get('host')
  const upstream = folder
    ? connect(`${folder}/.s.PGSQL.${url.port || 5432}`)
    : connect(Number(url.port || 5432), url.hostname)
  countSyncs(client)
  client.pipe(upstream).pipe(client)
  for (const end of [client, upstream]) end.on('error', () => {})
})
beforeAll(async () => {
  cloned = await cloneDatabase()
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
  const url = new URL(cloned.url)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${(line.address() as AddressInfo).port}`
  const secret = new Secret(url.toString())
  database = createPgDatabase({
    url: secret,
    migrationUrl: secret,
    poolSize: 1,
    connection: 'pool',
    log: createLog('silent'),
  })
})
afterAll(async () => {
  await database.close()
  await new Promise((resolve) => line.close(resolve))
  await cloned.drop()
})

function countSyncs(client: Socket): void {
  let rest = Buffer.alloc(0)
  let started = false
  client.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      // The first message has no type.
      const head = started ? 1 : 0
      if (rest.length < head + 4) return
      const end = head + rest.readInt32BE(head)
      if (rest.length < end) return
      if (started && rest[0] === 'S'.charCodeAt(0)) syncs += 1
      started = true
      rest = rest.subarray(end)
    }
  })
}

function within<T>(work: (tx: SystemTx) => Promise<T>): Promise<T> {
  return systemTransaction(database.open(), work)
}

async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  const before = syncs
  await work()
  return syncs - before
}

test('BEGIN and the scope leave with what is asked first, and COMMIT with what was kept for it', async () => {
  const read = (tx: SystemTx) =>
    Promise.all([
      tx.prepared({ name: 'a', text: 'select 1 as one', values: [] }),
      tx.prepared({ name: 'b', text: 'select 2 as two', values: [] }),
    ])
  expect(
    await roundTrips(() => within(async (tx) => tx.atCommit({ name: 'a', text: 'select 1 as one', values: [] }))),
  ).toBe(1)
  expect(await roundTrips(() => within(read))).toBe(2)
  const both = () =>
    within(async (tx) => {
      expect(await read(tx)).toEqual([[{ one: 1 }], [{ two: 2 }]])
      tx.atCommit({ name: 'a', text: 'select 1 as one', values: [] })
      tx.atCommit({ name: 'b', text: 'select 2 as two', values: [] })
    })
  expect(await roundTrips(both)).toBe(2)
  expect(await roundTrips(both)).toBe(2)
})

test('statements kept for COMMIT run in order, return their rows, and are all undone by one that fails', async () => {
  const tenant = newId('workspace')
  const insert = `insert into directory (tenant_id, kind, key) values ($1, 'session', $2) returning key`
  const keys = () =>
    tenantTransaction(database.open(), tenant, (tx) =>
      tx.prepared({
        name: 'keys',
        text: 'select key from directory where tenant_id = $1 order by key',
        values: [tenant],
      }),
    )
  const told: unknown[] = []
  await tenantTransaction(database.open(), tenant, async (tx) => {
    for (const key of ['1', '2'])
      tx.atCommit(
        { name: 'insert', text: insert, values: [tenant, `${tenant}${key}`] },
        { rows: (rows) => told.push(...rows) },
      )
    expect(told).toEqual([])
  })
  expect(told).toEqual([{ key: `${tenant}1` }, { key: `${tenant}2` }])
  const refused = tenantTransaction(database.open(), tenant, async (tx) => {
    tx.atCommit({ name: 'insert', text: insert, values: [tenant, `${tenant}3`] })
    tx.atCommit({ name: 'insert', text: insert, values: [tenant, `${tenant}1`] }, { refuse: () => new Error('taken') })
    tx.atCommit({ name: 'late', text: 'select 3', values: [] }, { refuse: () => new Error('not this one') })
  })
  await expect(refused).rejects.toThrow('taken')
  expect(await keys()).toHaveLength(2)
})

/** Receives an error some turns after others would. */
async function later<T>(answer: Promise<T>): Promise<T> {
  return answer.catch(async (error: unknown) => {
    await Promise.resolve()
    throw error
  })
}

test('of statements that were asked for together, the one that failed is heard of first, and those it stopped run the next time', async () => {
  const failing = () =>
    within((tx) =>
      Promise.all([
        tx.prepared({ name: 'fine', text: 'select 1', values: [] }),
        later(tx.prepared({ name: 'fails', text: 'select 1 / $1::int', values: [0] })),
        tx.prepared({ name: 'stopped', text: 'select 4 as n', values: [] }),
      ]),
    )
  await expect(failing()).rejects.toMatchObject({ code: '22012' })
  await expect(failing()).rejects.toMatchObject({ code: '22012' })
  expect(await within((tx) => tx.prepared({ name: 'stopped', text: 'select 4 as n', values: [] }))).toEqual([{ n: 4 }])
  await expect(
    within((tx) => tx.prepared({ name: 'fails', text: 'select 6 / $1::int', values: [2] })),
  ).rejects.toMatchObject({ cause: { message: 'two statements are called fails' } })
  expect(await within((tx) => tx.prepared({ name: 'fails', text: 'select 1 / $1::int', values: [1] }))).toHaveLength(1)
})

test('parameters arrive as they were given', async () => {
  const words = [
    'plain',
    '',
    'null',
    'NULL',
    'with "quotes"',
    'back\\slash',
    '{braces}',
    'com,ma',
    ' blank ',
    'ümläut 😀',
    'a\nb',
  ]
  const moments = [
    '0001-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '2026-11-21T08:00:00.123Z',
    '9999-12-31T23:59:59.999Z',
  ].map((text) => new Date(text))
  const given = {
    words: [...words, null],
    nested: [
      ['a', 'b'],
      ['c"', null],
    ],
    moments,
    big: 'é'.repeat(100_000),
    bytes: Buffer.from([0, 1, 255]),
    no: null,
    yes: true,
    object: { a: [1] },
  }
  const [row] = await within((tx) =>
    tx.prepared<typeof given>({
      name: 'echo',
      text: 'select $1::text[] as words, $2::text[] as nested, $3::timestamptz[] as moments, $4::text as big, $5::bytea as bytes, $6::uuid as no, $7::boolean as yes, $8::jsonb as object',
      values: Object.values(given),
    }),
  )
  expect(row).toEqual(given)
  for (const [moment, text] of [
    [new Date(Date.UTC(12_345, 0, 2)), '12345-01-02 00:00:00+00'],
    [new Date(Date.UTC(-43, 2, 15)), '0044-03-15 00:00:00+00 BC'],
  ] as const) {
    expect(
      await within((tx) =>
        tx.prepared({
          name: 'distant',
          text: `select ($1::timestamptz at time zone 'UTC')::text || '+00' as text`,
          values: [moment],
        }),
      ),
    ).toEqual([{ text: text.replace('+00 BC', ' BC+00') }])
  }
  expect(parameterOf([1, 'a-b', true])).toBe('{1,a-b,true}')
})

test('a statement with more parameters than the protocol can count is refused, and the next one runs', async () => {
  const many = Array.from({ length: 65_536 }, () => 1)
  await expect(within((tx) => tx.prepared({ name: 'many', text: 'select 1', values: many }))).rejects.toThrow(
    '65536 parameters',
  )
  expect(await within((tx) => tx.prepared({ name: 'a', text: 'select 1 as one', values: [] }))).toEqual([{ one: 1 }])
})
