import { once } from 'node:events'
import { writeFile, chmod, mkdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cloneDatabase } from './testing/harness.ts'
import { startReceiver } from './testing/receiver.ts'
import {
  PASSWORD,
  SECRETS_KEY,
  STARTING,
  account,
  cleanUpBy,
  lines,
  ownFolder,
  post,
  readiness,
  ready,
  start,
  useMadeDatabase,
  useServerProcesses,
} from './testing/server-processes.ts'

const asRoot = process.getuid?.() === 0

useServerProcesses()

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
    expect(lines(refused.stderr()).map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'fatal',
        msg: expect.stringContaining('Earshot cannot start, because settings are wrong:'),
        problems: ['DATABASE_URL', 'SECRETS_KEY', 'PUBLIC_BASE_URL'].map(
          (name) => `${name}: required when ENVIRONMENT is production`,
        ),
      },
    ])
  })

  test('a port in use', { timeout: 120_000 }, async () => {
    await useMadeDatabase()
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    cleanUpBy(async () => void holder.close())
    const { port } = holder.address() as AddressInfo
    const refused = start({ PORT: String(port) })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(lines(refused.stderr())).toEqual([
      `Earshot cannot start: port ${port} is in use (HOST is 127.0.0.1). Stop the program that holds it, or set PORT to another.`,
    ])
  })

  test('an address that this machine does not have', { timeout: 120_000 }, async () => {
    await useMadeDatabase()
    const refused = start({ HOST: '203.0.113.7', PORT: '8080' })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(lines(refused.stderr())).toEqual([
      'Earshot cannot start: this machine does not have the address 203.0.113.7. Set HOST to one that it has, or to 0.0.0.0 for all (PORT is 8080).',
    ])
  })

  test('a data directory that cannot be made', async () => {
    await writeFile(join(ownFolder(), 'file'), '')
    for (const DATA_DIR of [join(ownFolder(), 'file', 'data'), join(ownFolder(), 'file')]) {
      const refused = start({ DATA_DIR })
      expect(await refused.exit).toEqual({ code: 1, signal: null })
      expect(lines(refused.stderr())).toEqual([expect.stringMatching(/file.*cannot be written.*DATA_DIR/)])
    }
  })

  test.skipIf(asRoot)('a data directory that is read-only', async () => {
    const DATA_DIR = join(ownFolder(), 'sealed')
    await mkdir(DATA_DIR)
    await chmod(DATA_DIR, 0o500)
    const refused = start({ DATA_DIR })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(lines(refused.stderr())).toEqual([expect.stringMatching(/sealed.*cannot be written.*DATA_DIR/)])
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

test(
  'an API process and a worker on one PostgreSQL deliver a webhook as soon as it happens',
  { timeout: 120_000 },
  async () => {
    const { url: DATABASE_URL, drop } = await cloneDatabase()
    const receiver = await startReceiver()
    cleanUpBy(drop, receiver.close)
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
      await expect.poll(() => receiver.requests.length).toBe(n)
    }
    expect(receiver.requests[0]?.headers).toMatchObject({
      'x-voc-signature': expect.stringMatching(/^v1=[0-9a-f]{64}$/),
    })
    expect(await worker.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  },
)
