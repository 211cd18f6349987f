import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../platform/config/log.ts'
import { Secret } from '../../platform/config/secrets.ts'
import { cloneDatabase } from '../../testing/harness.ts'
import { dropWhenSilent } from './connections.ts'
import { createPgDatabase } from './postgres.ts'

// A server behind a line that can fall silent: connections stay open and carry nothing.
let cloned: Awaited<ReturnType<typeof cloneDatabase>>
let silent = false
const sockets = new Set<Socket>()
const line = createServer((client) => {
  const url = new URL(cloned.url)
  const folder = url.searchParams.get('host')
  const upstream = folder
    ? connect(`${folder}/.s.PGSQL.${url.port || 5432}`)
    : connect(Number(url.port || 5432), url.hostname)
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(from)
    from.on('data', (chunk) => void (silent || to.write(chunk)))
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
  }
})
beforeAll(async () => {
  cloned = await cloneDatabase()
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => line.close(resolve))
  await cloned.drop()
})

test('a probe of a silent database ends in time, gives its connection up, and survives the cut', async () => {
  const url = new URL(cloned.url)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${(line.address() as AddressInfo).port}`
  const secret = new Secret(url.toString())
  const database = createPgDatabase({
    url: secret,
    migrationUrl: secret,
    poolSize: 2,
    connection: 'pool',
    log: createLog('silent'),
  })
  await database.ping(5_000)
  silent = true
  // More probes than connections: a probe that kept its own would leave none for the last one.
  for (let i = 0; i < 3; i++)
    await expect(database.ping(50)).rejects.toThrow('the database of DATABASE_URL cannot be reached')
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  silent = false
  await expect
    .poll(
      () =>
        database.ping(5_000).then(
          () => 'up',
          () => 'down',
        ),
      { timeout: 10_000 },
    )
    .toBe('up')
  await database.close()
})

test('a statement of a silent connection fails, once nothing came for its time', async () => {
  const url = new URL(cloned.url)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${(line.address() as AddressInfo).port}`
  const client = new pg.Client(url.toString())
  client.on('error', () => {})
  await client.connect()
  dropWhenSilent(client, 100)
  await client.query('select pg_sleep(0.05)')
  silent = true
  await expect(client.query('select 1')).rejects.toThrow('Connection terminated')
  silent = false
})
