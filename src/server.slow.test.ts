import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { cloneDatabase } from './testing/harness.ts'
import {
  PASSWORD,
  SECRETS_KEY,
  STARTING,
  account,
  cleanUpBy,
  expectAway,
  fresh,
  gated,
  json,
  lines,
  ownFolder,
  post,
  readiness,
  ready,
  signUp,
  start,
  useMadeDatabase,
  useServerProcesses,
} from './testing/server-processes.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

useServerProcesses()

describe('the embedded database', () => {
  test('keeps every acknowledged row through SIGKILL, and one process at a time', { timeout: 180_000 }, async () => {
    await useMadeDatabase()
    const acknowledged: string[] = []
    // Each signs in at the end, and one address may do so a hundred times.
    let most = 0
    for (const round of [0, 1]) {
      most += 20
      const server = start({})
      const url = await ready(server)
      let running = true
      const clients = [0, 1, 2].map(async (client) => {
        for (let n = 0; running; n++) {
          while (running && acknowledged.length >= most) await new Promise((resume) => setTimeout(resume, 5))
          const email = `ada-${round}-${client}-${n}@example.com`
          const status = await signUp(url, email).catch(() => 0)
          if (status === 201) acknowledged.push(email)
        }
      })
      if (round === 0) {
        const second = start({})
        expect(await second.exit).toEqual({ code: 1, signal: null })
        expect(lines(second.stderr())).toEqual([
          `Earshot cannot start: ${ownFolder()} is in use by another Earshot process (pid ${server.pid}): stop that one, or give this one a DATA_DIR of its own`,
        ])
      }
      const enough = acknowledged.length + 8
      most += 20
      await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(enough)
      await server.kill('SIGKILL')
      running = false
      await Promise.all(clients)
    }
    const url = await ready(start({}))
    const missing: string[] = []
    for (const email of acknowledged)
      if ((await post(url, '/public/sessions', { email, password: PASSWORD })).status !== 201) missing.push(email)
    expect(missing).toEqual([])
  })

  test('answers 503 until it is ready, never 500', { timeout: 180_000 }, async () => {
    const url = await start({ DATA_DIR: join(ownFolder(), 'new') }).url
    const statuses = new Set<number>()
    await expect
      .poll(async () => {
        const status = (await fetch(`${url}/public/sessions`, json({ email: 'a@example.com', password: PASSWORD })))
          .status
        statuses.add(status)
        return status
      }, STARTING)
      .toBe(401)
    expect([...statuses].filter((status) => status !== 503)).toEqual([401])
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
    expect(await readFile(join(ownFolder(), 'new', 'secrets.key'), 'utf8')).toMatch(/^[\w+/]{43}=$/)
  })
})

test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  '%s to `npm start` leaves no server behind, so that the next one can start',
  { timeout: 180_000 },
  async (signal) => {
    await useMadeDatabase()
    const env = { PATH: process.env['PATH'], DATA_DIR: ownFolder(), HOST: '127.0.0.1', PORT: '0' }
    const npm = spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    npm.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await expect.poll(() => said, STARTING).toContain('Earshot is ready')
    const url = `http://127.0.0.1:${/localhost:(\d+)/.exec(said)?.[1]}`
    expect(await readiness(url)).toBe(200)
    // The output stays open for as long as a process of the start lives.
    const closed = once(npm, 'close')
    npm.kill(signal)
    await closed
    await expect(readiness(url)).rejects.toThrow('fetch failed')
    await ready(start({}))
  },
)

describe('a database that is away', () => {
  test('is waited for, migrated when it comes, and survived when it goes again', { timeout: 120_000 }, async () => {
    const { gate, url: DATABASE_URL } = await gated(await fresh())
    const server = start({ DATABASE_URL, SECRETS_KEY })
    const url = await server.url
    await expectAway(url)
    await gate.open()
    await expect.poll(() => readiness(url), STARTING).toBe(200)
    expect(await signUp(url, 'ada@example.com')).toBe(201)

    await gate.close()
    await expectAway(url)
    await gate.open()
    await expect.poll(() => readiness(url), STARTING).toBe(200)
    expect((await post(url, '/public/sessions', { email: 'ada@example.com', password: PASSWORD })).status).toBe(201)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  test('that accepts connections and never answers is as good as away', { timeout: 120_000 }, async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    cleanUpBy(async () => void silent.close())
    const server = start({
      DATABASE_URL: `postgres://earshot@127.0.0.1:${(silent.address() as AddressInfo).port}/earshot`,
      SECRETS_KEY,
    })
    await expectAway(await server.url)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

test(
  'an address that this machine does not have is named, and the start ends with 1',
  { timeout: 120_000 },
  async () => {
    await useMadeDatabase()
    const refused = start({ HOST: '203.0.113.7', PORT: '8080' })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(lines(refused.stderr())).toEqual([
      'Earshot cannot start: this machine does not have the address 203.0.113.7. Set HOST to one that it has, or to 0.0.0.0 for all (PORT is 8080).',
    ])
  },
)

test(
  'a start with closed sign-ups names bootstrap, and in production each line is JSON',
  { timeout: 120_000 },
  async () => {
    const { url: DATABASE_URL, drop } = await cloneDatabase()
    cleanUpBy(drop)
    const settings = { DATABASE_URL, SECRETS_KEY, LOG_LEVEL: 'info', REDIS_URL: 'redis://of.the/platform' }
    const PUBLIC_BASE_URL = 'https://feedback.example.com'
    const production = start({ ...settings, ENVIRONMENT: 'production', PUBLIC_BASE_URL })
    await ready(production)
    await expect.poll(() => production.stdout()).toContain('Earshot is ready')
    const said = lines(production.stdout()).map((line) => JSON.parse(line))
    expect(said).toContainEqual(
      expect.objectContaining({
        msg: `Earshot is ready at ${PUBLIC_BASE_URL}.`,
        firstWorkspace: 'npm run bootstrap -- --email ada@example.com --workspace Acme',
      }),
    )
    expect(await production.kill('SIGTERM')).toEqual({ code: 0, signal: null })
    for (const line of lines(production.stdout() + production.stderr()))
      expect(() => JSON.parse(line), line).not.toThrow()
    expect(production.stdout()).not.toMatch(/demo|of\.the/)

    const closed = start({ ...settings, SIGNUPS: 'closed' })
    await expect.poll(() => closed.stdout(), STARTING).toMatch(/^ {2}First workspace npm run bootstrap -- --email /m)
    expect(closed.stdout()).not.toContain('curl')

    await post(await ready(start(settings)), '/public/workspaces', account('ada@example.com'))
    const again = start(settings)
    await expect.poll(() => again.stdout(), STARTING).toMatch(/^ {2}API reference /m)
    expect(again.stdout()).not.toContain('First workspace')
  },
)
