import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockDirectory } from '../../src/adapters/pglite/directory-lock.ts'
import { cloneDatabase, startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { ROOT } from '../project.ts'

const KEY = 'a-key-for-tests-that-is-long-enough'

let database: { url: string; drop: () => Promise<void> }
let server: TestServer
let folder: string
beforeAll(async () => {
  database = await cloneDatabase()
  server = await startTestServer({ databaseUrl: database.url, env: { SECRETS_KEY: KEY } })
  folder = await mkdtemp(join(tmpdir(), 'ear-operator-'))
})
afterAll(async () => {
  await server.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function run(
  script: string,
  args: string[],
  settings: Record<string, string> = {},
  input = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [`dist/server/${script}.js`, ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATABASE_URL: database.url, SECRETS_KEY: KEY, DATA_DIR: folder, ...settings },
  })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

const bootstrap = (workspace: string, ...args: string[]) =>
  run('bootstrap', ['--email', 'Ada@Example.com', '--workspace', workspace, '--json', ...args], {}, 'a long password\n')

test(
  'bootstrap makes a workspace, its owner and a key once, even when two run together',
  { timeout: 60_000 },
  async () => {
    const both = await Promise.all([bootstrap('Acme', '--password-stdin'), bootstrap('Acme', '--password-stdin')])
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ])
    const made = both.map(({ stdout }) => JSON.parse(stdout))
    expect(made.map(({ workspace }) => workspace.created).sort()).toEqual([false, true])
    expect(new Set(made.map(({ workspace }) => workspace.id)).size).toBe(1)
    const { key } = made.find(({ api_key }) => api_key !== null).api_key
    const me = await server.request('GET', '/v1/me', { token: key })
    expect(me.body).toMatchObject({ workspace: { name: 'Acme' }, principal: { type: 'api_key' } })
    const body = { email: 'ada@example.com', password: 'a long password' }
    expect((await server.request('POST', '/public/sessions', { body })).status).toBe(201)
    const again = await bootstrap('Acme')
    expect(JSON.parse(again.stdout)).toMatchObject({ workspace: { created: false }, api_key: null })
    expect(again.stdout).not.toContain('ear_live_')
  },
)

test('bootstrap names the database, and no password of it', { timeout: 60_000 }, async () => {
  const name = new URL(database.url).pathname.slice(1)
  const args = ['--email', 'named@example.com', '--workspace', 'Named']
  const { stdout } = await run('bootstrap', args)
  expect(stdout).toMatch(new RegExp(`^Database: PostgreSQL, database ${name} at \\S+\n`))
  const embedded = await run('bootstrap', args, { DATABASE_URL: '', DATA_DIR: join(folder, 'plain') })
  expect(embedded.stdout).toContain(`Database: the embedded database in ${join(folder, 'plain')}\n`)
})

test.each(['bootstrap', 'password', 'move'])('%s names the option that it does not know', async (command) => {
  const { code, stderr } = await run(command, ['--nmae', 'Ada'])
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Unknown option '--nmae'\.\n\nUsage: /)])
})

test('move says what is missing, and which server to stop', async () => {
  const bare = await run('move', ['--from', folder], { DATABASE_URL: '' })
  expect([bare.code, bare.stderr]).toEqual([1, expect.stringMatching(/^Set DATABASE_URL .*\n\nUsage: /)])
  await mkdir(join(folder, 'pglite'), { recursive: true })
  const release = await lockDirectory(folder)
  const beside = await run('move', ['--from', folder])
  await release()
  expect([beside.code, beside.stderr]).toEqual([1, `${folder} is in use. Stop its server first.\n`])
})

test(
  'an operator sets a password without mail: old sessions end, and the log names nobody',
  { timeout: 60_000 },
  async () => {
    const email = 'grace@example.com'
    const person = { workspace_name: 'Navy', name: 'Grace', email, password: 'a password that is lost' }
    const { token } = (await server.request('POST', '/public/workspaces', { body: person })).body
    const signIn = async (password: string) =>
      (await server.request('POST', '/public/sessions', { body: { email, password } })).status
    const given = await run('password', ['--email', 'Grace@Example.com', '--password-stdin'], {}, 'a newer password\n')
    expect([given.code, given.stderr]).toEqual([0, ''])
    expect(given.stdout).not.toContain('newer')
    expect((await server.request('GET', '/v1/me', { token })).status).toBe(401)
    expect([await signIn('a newer password'), await signIn(person.password)]).toEqual([201, 401])
    const made = /shown this once: (\S+)/.exec((await run('password', ['--email', email])).stdout)?.[1] ?? ''
    const { body } = await server.request('POST', '/public/sessions', { body: { email, password: made } })
    const audit = await server.request('GET', '/v1/audit?action=user.reset_password', { token: body.token })
    expect(audit.body.data).toMatchObject([{ actor: { type: 'system' } }, { actor: { type: 'system' } }])
    const short = await run('password', ['--email', email, '--password-stdin'], {}, 'short\n')
    expect([short.code, short.stderr]).toEqual([1, 'A password needs at least 10 characters.\n'])
    const nobody = await run('password', ['--email', 'none@example.com'])
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('No account has the address')])
  },
)

const COMMANDS: [string, string[]][] = [
  ['bootstrap', ['--email', 'a@example.com', '--workspace', 'B']],
  ['password', ['--email', 'a@example.com']],
  ['numbers', ['list']],
  ['seed', []],
]

test.each(COMMANDS)('%s beside a server on its data directory says what to do', async (command, args) => {
  const release = await lockDirectory(folder)
  const { code, stderr } = await run(command, args, { DATABASE_URL: '' })
  await release()
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(`is in use by another Earshot process .pid ${process.pid}.: stop that one, or .*\\n$`),
    ),
  ])
  expect(stderr).not.toMatch(/^ +at /m)
})

test.each(COMMANDS)('%s without its database names DATABASE_URL and no password', async (command, args) => {
  const { code, stderr } = await run(command, args, { DATABASE_URL: 'postgres://ada:hidden-password@127.0.0.1:1/none' })
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/the database of DATABASE_URL cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n$/),
  ])
  expect(stderr).not.toMatch(/hidden|^ +at /m)
})

test('doctor says that the name of the mail server is unknown', { timeout: 60_000 }, async () => {
  const smtp = { EMAIL_PROVIDER: 'smtp', SMTP_URL: 'smtp://mail.invalid:587' }
  expect((await run('doctor', [], smtp)).stdout).toContain('FAIL mail: no name server knows the host of SMTP_URL\n')
})

test('doctor finds what is wrong, says what to do, and prints no secret', { timeout: 60_000 }, async () => {
  const settings = {
    ENVIRONMENT: 'production',
    PUBLIC_BASE_URL: 'http://127.0.0.1:1',
    EMAIL_PROVIDER: 'smtp',
    SMTP_URL: 'smtp://ada:hidden-password@127.0.0.1:1',
  }
  const { code, stdout } = await run('doctor', ['--json'], settings)
  const { ok, findings } = JSON.parse(stdout)
  expect([code, ok]).toEqual([1, false])
  const states = Object.fromEntries(findings.map(({ check, state }: Record<string, string>) => [check, state]))
  expect(states).toMatchObject({ grants: 'ok', schema: 'ok', clock: 'ok', secrets: 'ok', storage: 'ok' })
  expect(states).toMatchObject({ mail: 'fail', 'public address': 'fail', reachable: 'warn', worker: 'warn' })
  for (const { state, todo } of findings) expect(todo === null).toBe(state === 'ok')
  expect(stdout).not.toMatch(new RegExp(`hidden-password|${KEY}`))
})

test(
  'doctor sees a SECRETS_KEY that does not open what is stored, and a wrong database',
  { timeout: 60_000 },
  async () => {
    const { stdout } = await bootstrap('Keys')
    const token = JSON.parse(stdout).api_key.key
    const url = 'http://127.0.0.1:9/'
    expect((await server.request('POST', '/v1/webhooks', { token, body: { url } })).status).toBe(201)
    const [other, away] = await Promise.all([
      run('doctor', [], { SECRETS_KEY: 'another-key-that-is-long-enough-too' }),
      run('doctor', [], { DATABASE_URL: 'postgres://ada:hidden-password@127.0.0.1:1/none' }),
    ])
    expect([other.code, other.stdout]).toEqual([
      1,
      expect.stringContaining('FAIL secrets: SECRETS_KEY does not open 1 of 1'),
    ])
    expect([away.code, away.stdout]).toEqual([1, expect.stringContaining('FAIL database')])
    expect(away.stdout).not.toContain('hidden-password')
  },
)

test('reseal seals every stored value anew, so that an old key can go', { timeout: 120_000 }, async () => {
  const token = JSON.parse((await bootstrap('Sealed')).stdout).api_key.key
  const person = { email: 'grace@example.com', name: 'Grace' }
  const posts: Array<[string, object]> = [
    ['/v1/webhooks', { url: 'http://127.0.0.1:9/', headers: { 'x-key': 'of the receiver' } }],
    ['/v1/people', person],
    ['/v1/leads', person],
  ]
  for (const [path, body] of posts) expect((await server.request('POST', path, { token, body })).status).toBe(201)
  const sealed = async () => (await server.peek<{ sealed: string }>('select sealed from people'))[0]?.sealed
  const before = await sealed()
  const newKey = 'a-newer-key-for-tests-that-is-long-enough'
  const lost = await run('reseal', [], { SECRETS_KEY: newKey })
  expect([lost.code, lost.stdout]).toEqual([1, expect.stringMatching(/^0 values .*\n\d+ values cannot be opened/)])
  expect(await sealed()).toBe(before)
  const done = await run('reseal', [], { SECRETS_KEY: `${newKey},${KEY}` })
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(done.stdout).toContain('No stored value needs an older key any more.')
  expect((await run('reseal', [], { SECRETS_KEY: newKey })).stdout).toMatch(/^0 values are sealed anew\.\nNo stored/)
  const later = await startTestServer({ databaseUrl: database.url, env: { SECRETS_KEY: newKey } })
  expect((await later.request('GET', '/v1/people', { token })).body.data).toMatchObject([person])
  expect((await later.request('GET', '/v1/people?search=grace', { token })).body.data).toMatchObject([person])
  expect((await later.request('GET', '/v1/leads', { token })).body.data).toMatchObject([person])
  await later.close()
})

test('numbers assigns, lists and releases, and says how it is called', { timeout: 60_000 }, async () => {
  const { workspace } = JSON.parse((await bootstrap('Numbers')).stdout)
  const called = [
    await run('numbers', ['assign', '+4930901820', workspace.id]),
    await run('numbers', ['list']),
    await run('numbers', ['release', '+49 30 901820']),
    await run('numbers', ['list']),
    await run('numbers', ['assign', '+4930901820']),
  ]
  expect(called.map(({ code }) => code)).toEqual([0, 0, 0, 0, 1])
  expect(called[1]?.stdout).toBe(`+4930901820  ${workspace.id}  Numbers\n`)
  expect(called[3]?.stdout).toBe('No number is assigned.\n')
  expect(called[4]?.stderr).toContain('Usage: npm run numbers')
})
