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

  test('a port in use', async () => {
    const { url: DATABASE_URL, drop } = await cloneDatabase()
    cleanUpBy(drop)
    const holder = createServer().listen(0, '127.0.0.1')
    await once(holder, 'listening')
    cleanUpBy(async () => void holder.close())
    const { port } = holder.address() as AddressInfo
    const refused = start({ DATABASE_URL, SECRETS_KEY, PORT: String(port) })
    expect(await refused.exit).toEqual({ code: 1, signal: null })
    expect(lines(refused.stderr())).toEqual([
      `Earshot cannot start: port ${port} is in use (HOST is 127.0.0.1). Stop the program that holds it, or set PORT to another.`,
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
    const { url: DATABASE_URL, drop } = await cloneDatabase()
    cleanUpBy(drop)
    const server = start({ DATABASE_URL, SECRETS_KEY })
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
    const next = await ready(start({ DATABASE_URL, SECRETS_KEY }))
    expect((await post(next, '/public/sessions', { email: 'ada@example.com', password: PASSWORD })).status).toBe(201)
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
