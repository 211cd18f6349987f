import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { databaseAt, query } from '../../src/testing/database/databases.ts'
import { startOwnPostgres, type OwnPostgresServer } from '../../src/testing/database/postgres.ts'
import {
  account,
  ownFolder,
  PASSWORD,
  post,
  ready,
  start,
  useMadeDatabase,
  useServerProcesses,
} from '../../src/testing/server-processes.ts'
import { ROOT } from '../project.ts'

let cluster: OwnPostgresServer
beforeAll(async () => {
  cluster = await startOwnPostgres()
  await asAdmin('postgres', 'create role earshot login createrole')
})
afterAll(() => cluster.stop())

useServerProcesses()

async function asAdmin(database: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: cluster.url(database) })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** An empty database whose owner is no superuser, as docs/operations.md sets it up. */
async function emptyDatabase(name: string): Promise<string> {
  await asAdmin('postgres', `create database ${name} owner earshot`)
  return cluster.url(name).replace('postgres@', 'earshot@')
}

async function move(settings: Record<string, string>, from = ownFolder()) {
  const env = { PATH: process.env['PATH'], ...settings }
  const done = promisify(execFile)(process.execPath, ['dist/server/move.js', '--from', from], { cwd: ROOT, env })
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
}

interface Page {
  data: Array<{ id: string }>
}
const call = async (url: string, path: string, token: string) =>
  (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json() as Promise<Page>
// Work in the background changes these: it seals entries, and tries deliveries again.
const idsOf = async (url: string, path: string, token: string) =>
  (await call(url, path, token)).data.map(({ id }) => id)
const readOf = async (url: string, token: string) => {
  const lists = await Promise.all(READ.map((name) => call(url, `/v1/${name}?limit=100`, token)))
  return JSON.parse(JSON.stringify(lists, (name, value) => (name === 'last_failed_at' ? undefined : value)))
}
const READ = ['surveys', 'responses', 'people', 'leads', 'api-keys', 'members', 'webhooks']
const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'Würden Sie uns empfehlen?' },
  { id: 'q2', type: 'open_text', title: 'Why?' },
]
// Quotes, a backslash, a tab, an empty text and braces: what the text of a row has to escape.
const WORDS = ['"ja", \\ und\tnein', '', '{(a,b)}', "l'été 🙂", 'null']

test(
  'everything in the embedded database moves to PostgreSQL, is compared, and works there',
  { timeout: 300_000 },
  async () => {
    await useMadeDatabase()
    const before = start({})
    const old = await ready(before)
    const { token } = (await post(old, '/public/workspaces', account('ada@example.com'))).body
    const survey = (await post(old, '/v1/surveys', { name: 'S', metric: 'nps', questions: QUESTIONS }, token)).body
    await post(old, `/v1/surveys/${survey.id}/publish`, {}, token)
    await post(old, '/v1/webhooks', { url: 'http://127.0.0.1:9/', headers: { 'x-key': 'secret' } }, token)
    for (const q2 of WORDS)
      await post(old, `/public/surveys/${survey.id}/responses`, { answers: { q1: 9, ...(q2 && { q2 }) } })
    const person = { email: 'grace@example.com', name: 'Grace', attributes: { plan: null, seats: 1.5 } }
    expect((await post(old, '/v1/people', person, token)).status).toBe(201)
    await before.kill('SIGTERM')
    await mkdir(join(ownFolder(), 'objects', 'a'), { recursive: true })
    await writeFile(join(ownFolder(), 'objects', 'a', 'file'), 'bytes')

    const stopped = start({})
    const unchanged = await ready(stopped)
    const deliveries = await idsOf(unchanged, '/v1/webhook-deliveries', token)
    const entries = await idsOf(unchanged, '/v1/audit', token)
    expect(deliveries).toHaveLength(WORDS.length)
    const expected = await readOf(unchanged, token)
    const held = await move({ DATABASE_URL: await emptyDatabase('held'), DATA_DIR: ownFolder() })
    expect([held.code, held.stderr]).toEqual([1, expect.stringContaining('is in use. Stop its server first.')])
    await stopped.kill('SIGTERM')

    const key = (await readFile(join(ownFolder(), 'secrets.key'), 'utf8')).trim()
    const dataDir = join(ownFolder(), 'new')
    const settings = { DATABASE_URL: await emptyDatabase('moved'), DATA_DIR: dataDir, SECRETS_KEY: key }
    const other = await move({ ...settings, SECRETS_KEY: 'another-key-that-is-long-enough-too' })
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('SECRETS_KEY does not open')])
    const done = await move(settings)
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toMatch(/^Moved and compared: \d+ rows of \d+ tables, and 1 files\.$/m)
    expect(done.stdout).not.toContain(key)
    expect(await readFile(join(dataDir, 'objects', 'a', 'file'), 'utf8')).toBe('bytes')
    const again = await move(settings)
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('has accounts already')])

    const url = await ready(start(settings))
    expect(await readOf(url, token)).toEqual(expected)
    expect((await call(url, '/v1/people?search=grace', token)).data).toMatchObject([{ name: 'Grace' }])
    expect(await idsOf(url, '/v1/webhook-deliveries', token)).toEqual(deliveries)
    expect(await idsOf(url, '/v1/audit', token)).toEqual(expect.arrayContaining(entries))
    const signIn = { email: 'ada@example.com', password: PASSWORD }
    expect((await post(url, '/public/sessions', signIn)).status).toBe(201)
    const answer = await post(url, `/public/surveys/${survey.id}/responses`, { answers: { q1: 3, q2: 'after' } })
    expect(answer.status).toBe(201)
    const left = `select relname from pg_class where relkind = 'r' and relrowsecurity and not relforcerowsecurity
    union select conname from pg_constraint where condeferrable order by 1`
    const migrated = await query(databaseAt(inject('postgresUrl'), inject('templateDatabase')), left)
    expect(await asAdmin('moved', left)).toEqual(migrated)
  },
)

test('a row that is lost or changed on the way stops the move, and nothing is left', { timeout: 300_000 }, async () => {
  await useMadeDatabase()
  const server = start({})
  await post(await ready(server), '/public/workspaces', account('ada@example.com'))
  await server.kill('SIGTERM')
  const copy = join(ownFolder(), 'copy')
  await cp(join(ownFolder(), 'pglite'), join(copy, 'pglite'), { recursive: true })
  for (const [name, body] of [
    ['lost', 'return null'],
    ['changed', `new.name := new.name || '.'; return new`],
  ] as const) {
    const settings = { DATABASE_URL: await emptyDatabase(name), DATA_DIR: ownFolder() }
    await (await readyOnce(settings)).kill('SIGTERM')
    await asAdmin(
      name,
      `create function spoil() returns trigger language plpgsql as 'begin ${body.replaceAll("'", "''")}; end'`,
      'create trigger spoil before insert on users for each row execute function spoil()',
    )
    const { code, stderr } = await move(settings)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/users has 1 rows .* Nothing was moved/)])
    expect(await asAdmin(name, 'select (select count(*) from users) + (select count(*) from directory) as n')).toEqual([
      { n: '0' },
    ])
  }
  const elsewhere = { DATABASE_URL: 'postgres://a@b/c', DATA_DIR: ownFolder() }
  expect((await move(elsewhere, copy)).stderr).toBe(
    `Set SECRETS_KEY to the content of ${join(copy, 'secrets.key')}, or DATA_DIR to ${copy}.\n`,
  )
  expect((await move(elsewhere, join(copy, 'none'))).stderr).toBe(`${join(copy, 'none')} has no embedded database.\n`)
})

async function readyOnce(settings: Record<string, string>) {
  const server = start(settings)
  await ready(server)
  return server
}
