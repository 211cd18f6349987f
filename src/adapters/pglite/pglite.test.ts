import { createServer } from 'node:net'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql, systemTransaction, tenantReading, tenantTransaction } from '../../platform/database/database.ts'
import { DatabaseReleasedError, TransactionAbortedError } from '../../platform/database/database-adapter.ts'
import { newId } from '../../platform/ids.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { copyMigratedFolder } from '../../testing/harness.ts'
import { DirectoryLockedError, lockDirectory } from './directory-lock.ts'
import { createPgliteDatabase } from './pglite.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ear-pglite-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

const openMigrated = async () => createPgliteDatabase({ dataDir: await copyMigratedFolder() })

test('rows are there when the directory is opened again, and one that is open is refused', async () => {
  const dataDir = await copyMigratedFolder()
  const first = await createPgliteDatabase({ dataDir })
  await systemTransaction(first.open(), (tx) => tx.run(sql`insert into sweeps (name, next_at) values ('kept', now())`))
  await expect(createPgliteDatabase({ dataDir })).rejects.toThrow(DirectoryLockedError)
  await first.close()
  const second = await createPgliteDatabase({ dataDir })
  expect(await migrate(second)).toEqual([])
  expect(await systemTransaction(second.open(), (tx) => tx.many(sql`select name from sweeps`))).toEqual([
    { name: 'kept' },
  ])
  await second.close()
})

test('a released handle refuses everything, a swallowed error is no commit, and numbers and dates come as the code expects them', async () => {
  const database = await openMigrated()
  const handle = database.open()
  const row = await systemTransaction(handle, (tx) =>
    tx.one(
      sql`select 9007199254740991::bigint as big, 12.5::numeric as exact, '2026-03-02'::date as day, '{a,b}'::text[] as list`,
    ),
  )
  expect(row).toEqual({ big: 9_007_199_254_740_991, exact: 12.5, day: '2026-03-02', list: ['a', 'b'] })
  const swallowed = systemTransaction(handle, (tx) =>
    tx.run(sql`insert into sweeps (name, next_at) values (null, now())`).catch(() => {}),
  )
  await expect(swallowed).rejects.toThrow(TransactionAbortedError)
  await handle.release()
  await expect(systemTransaction(handle, async () => 'ran')).rejects.toThrow(DatabaseReleasedError)
  await expect(handle.ping()).rejects.toThrow(DatabaseReleasedError)
  await database.close()
})

test('a transaction that reads refuses a write, and the next one writes again', async () => {
  const database = await openMigrated()
  const tenantId = newId('workspace')
  const insert = sql`insert into directory (tenant_id, kind, key) values (${tenantId}, 'test', 'x') returning key`
  for (const reads of ['latest', 'snapshot'] as const) {
    await expect(tenantReading(database.open(), tenantId, reads, (tx) => tx.many(insert))).rejects.toMatchObject({
      code: '25006',
    })
  }
  expect(await tenantTransaction(database.open(), tenantId, (tx) => tx.many(insert))).toEqual([{ key: 'x' }])
  await database.close()
})

test('timers and sockets get their turn while transactions follow each other', async () => {
  const database = await openMigrated()
  const handle = database.open()
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  for (let n = 0; n < 5_000 && turns <= 5; n++) await systemTransaction(handle, (tx) => tx.many(sql`select 1`))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
  await database.close()
})

test('timers and sockets get their turn while many transactions wait', async () => {
  const database = await openMigrated()
  const handle = database.open()
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await Promise.all(Array.from({ length: 500 }, () => systemTransaction(handle, (tx) => tx.many(sql`select 1`))))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
  await database.close()
})

test.each([
  ['a free directory', async () => {}],
  ['one whose owner was killed', () => leaveDeadSocket(directory)],
])('of many that start at once on %s, one gets it', async (_, prepare) => {
  await prepare()
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)))
  const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  expect(won).toHaveLength(1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DirectoryLockedError)
  await expect(lockDirectory(directory)).rejects.toThrow(`pid ${process.pid}`)
  await won[0]?.value()
  await (
    await lockDirectory(directory)
  )()
})

test('a directory whose path is too long for a socket is locked all the same', async () => {
  const long = await mkdtemp(join(directory, 'd'.repeat(150)))
  const unlock = await lockDirectory(long)
  await expect(lockDirectory(long)).rejects.toThrow(DirectoryLockedError)
  await unlock()
})

async function leaveDeadSocket(folder: string): Promise<void> {
  const path = join(folder, 'earshot.lock')
  const child = spawn(
    process.execPath,
    ['-e', `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await stat(path)
  await expect(
    new Promise((resolve, reject) =>
      createServer()
        .once('error', reject)
        .listen(path, () => resolve(null)),
    ),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' })
}
