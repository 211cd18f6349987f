import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile, chmod, mkdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createPgliteDatabase } from './adapters/pglite/pglite.ts'
import { migrate } from './platform/migrate.ts'
import { cloneDatabase, createDatabase } from './testing/harness.ts'
import { gateTo, startProcess, type Gate, type TestProcess } from './testing/process.ts'
import { startReceiver } from './testing/receiver.ts'

const PASSWORD = 'correct horse battery'
const SECRETS_KEY = 'a-key-of-this-test-that-is-long-enough'
// Making the files of an embedded database takes 3 s on an idle machine.
const STARTING = { timeout: 60_000, interval: 50 }
const asRoot = process.getuid?.() === 0

let made: string
let folder: string
let started: TestProcess[]
let cleanups: Array<() => Promise<unknown>>
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'ear-made-'))
  const database = await createPgliteDatabase({ dataDir: made })
  await migrate(database)
  await database.close()
}, 120_000)
afterAll(() => rm(made, { recursive: true, force: true }))
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ear-server-'))
  started = []
  cleanups = []
})
afterEach(async () => {
  await Promise.all(started.map((process) => process.kill('SIGKILL')))
  for (const cleanup of cleanups.reverse()) await cleanup()
  await rm(folder, { recursive: true, force: true })
})

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
          `Earshot cannot start: ${folder} is in use by another Earshot process (pid ${server.pid}): stop that one, or give this one a DATA_DIR of its own`,
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
    const url = await start({ DATA_DIR: join(folder, 'new') }).url
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
    expect(await readFile(join(folder, 'new', 'secrets.key'), 'utf8')).toMatch(/^[\w+/]{43}=$/)
  })
})

describe('what cannot start says why in one line and ends with 1', () => {
  test('a malformed environment: every setting by name, no value of a secret', async () => {
    const secrets = ['mysql://root:hunter2@db/earshot', 'short-key-hunter3', 'gopher://hunter4']
    const refused = start({
      PORT: '80a',
      DATABASE_URL: secrets[0] ?? '',
      SECRETS_KEY: secrets[1] ?? '',
      SMTP_URL: secrets[2] ?? '',
      ROLE: 'boss',
      TRUSTED_PROXIES: '10.0.0.0',
      LOG_LEVEL: 'loud',
      LEASE_SECONDS: '5',
    })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    const message = refused.stderr()
    expect(message.match(/cannot start/g)).toHaveLength(1)
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'SECRETS_KEY',
      'SMTP_URL',
      'ROLE',
      'TRUSTED_PROXIES',
      'LOG_LEVEL',
      'LEASE_SECONDS',
    ])
      expect(message).toMatch(new RegExp(`^  - ${name}: `, 'm'))
    expect(message).not.toMatch(/hunter|at .*\.ts:/)
    expect(lines(message)).toHaveLength(9)
  })

  test('production without its required settings', async () => {
    const refused = start({ ENVIRONMENT: 'production' })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(lines(refused.stderr())).toEqual([
      'Earshot cannot start, because settings are wrong:',
      ...['DATABASE_URL', 'SECRETS_KEY', 'PUBLIC_BASE_URL'].map(
        (name) => `  - ${name}: required when ENVIRONMENT is production`,
      ),
    ])
  })

  test('a port in use', { timeout: 120_000 }, async () => {
    await useMadeDatabase()
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    cleanups.push(async () => void holder.close())
    const { port } = holder.address() as AddressInfo
    const refused = start({ PORT: String(port) })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(lines(refused.stderr())).toEqual([expect.stringMatching(`port ${port} is in use.*PORT`)])
  })

  test('a data directory that cannot be made', async () => {
    await writeFile(join(folder, 'file'), '')
    for (const DATA_DIR of [join(folder, 'file', 'data'), join(folder, 'file')]) {
      const refused = start({ DATA_DIR })
      expect(await refused.exit).toEqual({ code: 1, signal: null })
      expect(lines(refused.stderr())).toEqual([expect.stringMatching(/file.*cannot be written.*DATA_DIR/)])
    }
  })

  test.skipIf(asRoot)('a data directory that is read-only', async () => {
    const DATA_DIR = join(folder, 'sealed')
    await mkdir(DATA_DIR)
    await chmod(DATA_DIR, 0o500)
    const refused = start({ DATA_DIR })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(lines(refused.stderr())).toEqual([expect.stringMatching(/sealed.*cannot be written.*DATA_DIR/)])
  })
})

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
    cleanups.push(async () => void silent.close())
    const server = start({
      DATABASE_URL: `postgres://earshot@127.0.0.1:${(silent.address() as AddressInfo).port}/earshot`,
      SECRETS_KEY,
    })
    await expectAway(await server.url)
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

test(
  'SIGTERM turns readiness to 503 and still serves, then takes no more, lets the request in flight finish, and ends with 0',
  { timeout: 120_000 },
  async () => {
    await useMadeDatabase()
    const server = start({})
    const url = await ready(server)
    const idle = await fetch(`${url}/health`)
    await idle.text()
    const body = JSON.stringify(account('ada@example.com'))
    const request = httpRequest(`${url}/public/workspaces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    })
    request.write(body.slice(0, 20))
    await expect.poll(() => fetch(`${url}/health`).then(({ ok }) => ok)).toBe(true)
    const exit = server.kill('SIGTERM')
    await expect.poll(() => readiness(url)).toBe(503)
    const late = await fetch(`${url}/health`)
    expect(late.status).toBe(200)
    expect(late.headers.get('connection')).toBe('close')
    await expect
      .poll(
        () =>
          fetch(`${url}/health`).then(
            () => 'answered',
            () => 'refused',
          ),
        STARTING,
      )
      .toBe('refused')
    const [response] = (await Promise.all([once(request, 'response'), request.end(body.slice(20))]))[0]
    response.resume()
    expect(response.statusCode).toBe(201)
    expect(await exit).toEqual({ code: 0, signal: null })
    expect(
      (await post(await ready(start({})), '/public/sessions', { email: 'ada@example.com', password: PASSWORD })).status,
    ).toBe(201)
  },
)

test(
  'an API process and a worker on one PostgreSQL deliver a webhook as soon as it happens',
  { timeout: 120_000 },
  async () => {
    const { url: DATABASE_URL, drop } = await cloneDatabase()
    const receiver = await startReceiver()
    cleanups.push(drop, receiver.close)
    // No sweep comes to help: only the NOTIFY of the API process can wake the worker.
    const settings = { DATABASE_URL, SECRETS_KEY, WEBHOOK_SWEEP_SECONDS: '3600', RECOVERY_SWEEP_SECONDS: '3600' }
    const worker = start({ ...settings, ROLE: 'worker' })
    await worker.url
    const url = await ready(start({ ...settings, ROLE: 'api' }))
    const { token } = (await post(url, '/public/workspaces', account('ada@example.com'))).body
    const survey = await post(
      url,
      '/v1/surveys',
      { name: 'S', metric: 'nps', questions: [{ id: 'q1', type: 'nps', title: 'Would you recommend us?' }] },
      token,
    )
    expect((await post(url, `/v1/surveys/${survey.body.id}/publish`, {}, token)).status).toBe(200)
    expect((await post(url, '/v1/webhooks', { url: receiver.url, events: ['response.completed'] }, token)).status).toBe(
      201,
    )
    for (let n = 1; n <= 3; n++) {
      expect(
        (await post(url, `/public/surveys/${survey.body.id}/responses`, { answers: { q1: 9 }, completed: true }))
          .status,
      ).toBe(201)
      await expect.poll(() => receiver.requests.length, { timeout: 10_000 }).toBe(n)
    }
    expect(receiver.requests[0]?.headers).toMatchObject({
      'x-voc-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
    })
    expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  },
)

async function useMadeDatabase(): Promise<void> {
  await cp(made, folder, { recursive: true })
}

function start(settings: Record<string, string>): TestProcess {
  const server = startProcess({ DATA_DIR: folder, ...settings })
  started.push(server)
  return server
}

async function ready(server: TestProcess): Promise<string> {
  const url = await server.url
  await expect.poll(() => readiness(url), STARTING).toBe(200)
  return url
}

async function readiness(url: string): Promise<number> {
  const answer = await fetch(`${url}/health/ready`)
  await answer.text()
  return answer.status
}

async function expectAway(url: string): Promise<void> {
  expect((await fetch(`${url}/health`)).status).toBe(200)
  const asked = performance.now()
  const probe = await fetch(`${url}/health/ready`)
  expect(performance.now() - asked).toBeLessThan(2_500)
  expect(probe.status).toBe(503)
  expect(probe.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await probe.json()).toEqual({ ok: false, db: 'down' })
  const answers = await Promise.all([
    post(url, '/public/workspaces', account('away@example.com')),
    post(url, '/public/sessions', { email: 'away@example.com', password: PASSWORD }),
    fetch(`${url}/public/surveys/srv_01jqe5v0k8e9r9d3z2m6h7t4xw`).then(read),
  ])
  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 503,
      type: 'application/problem+json',
      body: { status: 503, code: 'unavailable', request_id: expect.any(String), retry_after: expect.any(Number) },
    })
    expect(answer.retryAfter).toMatch(/^\d+$/)
  }
  expect((await fetch(`${url}/nowhere`)).status).toBe(404)
}

async function fresh(): Promise<string> {
  const { url, drop } = await createDatabase()
  cleanups.push(drop)
  return url
}

async function gated(databaseUrl: string): Promise<{ gate: Gate; url: string }> {
  const gated = await gateTo(databaseUrl)
  cleanups.push(() => gated.gate.close())
  return gated
}

function account(email: string) {
  return { workspace_name: 'Acme', name: 'Ada', email, password: PASSWORD }
}

async function signUp(url: string, email: string): Promise<number> {
  return (await post(url, '/public/workspaces', account(email))).status
}

function json(body: unknown, token?: string): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  }
}

async function post(url: string, path: string, body: unknown, token?: string) {
  return read(await fetch(`${url}${path}`, json(body, token)))
}

async function read(response: Response) {
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    retryAfter: response.headers.get('retry-after'),
    body: text ? JSON.parse(text) : null,
  }
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean)
}
