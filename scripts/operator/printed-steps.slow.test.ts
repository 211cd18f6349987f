// The steps that docs/operations.md and docs/rotation.md print are run as they stand, on new clusters.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startOwnPostgres, type OwnPostgresServer } from '../../src/testing/database/postgres.ts'
import { ready, SECRETS_KEY, start, STARTING, useServerProcesses } from '../../src/testing/server-processes.ts'
import { readText, ROOT } from '../project.ts'

const run = promisify(execFile)
// An installed PostgreSQL, because the package of the tests has no pg_dump. PG_BIN names the folder of another one.
const DEBIAN = '/usr/lib/postgresql'
const newest = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0] : undefined
const programs = process.env['PG_BIN'] ?? (newest && join(DEBIAN, newest, 'bin'))
const hasTools = programs !== undefined && ['initdb', 'pg_dump'].every((name) => existsSync(join(programs, name)))

interface Step {
  heading: string
  language: string
  text: string
}

async function stepsOf(document: string): Promise<Step[]> {
  let heading = ''
  return [...(await readText(document)).matchAll(/^##+ (.+)$|^ *```(sh|sql)\n([\s\S]*?)^ *```$/gm)].flatMap(
    ([, title, language, text = '']) => {
      heading = title ?? heading
      return language ? [{ heading, language, text: text.replaceAll(/^ {3}/gm, '').replaceAll('…', 'secret') }] : []
    },
  )
}

// These need a machine that a test does not have.
const ELSEWHERE: Record<string, string> = {
  'In a container': 'Docker',
  'On Kubernetes': 'a cluster of Kubernetes',
  'With systemd': 'systemd, and root',
  Upgrade: 'systemd, and root',
  'From the embedded database to PostgreSQL': 'an embedded database, which scripts/move/move.slow.test.ts has',
}
const OPERATIONS = await stepsOf('docs/operations.md')
// Each step of it needs several machines with Citus. `npm run test:cluster` guards what they do.
const SCALING = await stepsOf('docs/scaling.md')
const LIVE = await stepsOf('docs/live.md')
const ROTATION = await stepsOf('docs/rotation.md')
const under = (steps: Step[], heading: string) => steps.filter((step) => step.heading === heading)
const done = new Set<Step>()

let folder: string
const clusters: OwnPostgresServer[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ear-steps-'))
  await chmod(folder, 0o777)
})
afterAll(async () => {
  for (const cluster of clusters) await cluster.stop()
  await rm(folder, { recursive: true, force: true })
})

async function newCluster(installed?: string): Promise<OwnPostgresServer> {
  const cluster = await startOwnPostgres(undefined, tmpdir(), installed)
  clusters.push(cluster)
  return cluster
}

const as = (cluster: OwnPostgresServer, user: string, database = 'earshot') =>
  cluster.url(database).replace('postgres@', `${user}@`)

/** Runs SQL as it stands, each statement alone, as psql does. */
async function query(url: string, step: Step): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of step.text.split(';').filter((part) => part.trim() !== '')) await client.query(statement)
  } finally {
    await client.end()
  }
  done.add(step)
}

/** Runs a block in a shell, as the documents mean it: in the sources, or where the dump is. */
async function shell(step: Step, env: Record<string, string>, cwd = ROOT): Promise<string> {
  const path = [...(programs ? [programs] : []), process.env['PATH']].join(':')
  const { stdout } = await run('sh', ['-euc', step.text], { cwd, env: { PATH: path, DATA_DIR: folder, ...env } })
  done.add(step)
  return stdout
}

const setOf = (url: string) => ({ DATABASE_URL: url, SECRETS_KEY })
const only = (steps: Step[]): Step => {
  expect(steps).toHaveLength(1)
  return steps[0] as Step
}
const bootstrap = async (url: string) =>
  /ear_live_\w+/.exec(await shell(only(under(OPERATIONS, 'The first workspace')), setOf(url)))?.[0] ?? ''
const command = async (name: string, env: Record<string, string>) =>
  (
    await run(process.execPath, [`dist/server/${name}.js`], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], DATA_DIR: folder, ...env },
    }).catch((error: unknown) => error as { stdout: string })
  ).stdout

useServerProcesses()

describe.each(hasTools ? ['the newest PostgreSQL', 'an installed PostgreSQL'] : ['the newest PostgreSQL'])(
  'on a new cluster of %s',
  (which) => {
    const installed = which === 'an installed PostgreSQL' ? programs : undefined

    test('the owner, the first workspace and the rotations', { timeout: 180_000 }, async () => {
      const cluster = await newCluster(installed)
      await query(cluster.url('postgres'), only(under(OPERATIONS, 'PostgreSQL')))
      const owner = as(cluster, 'earshot')
      expect(await command('doctor', setOf(owner))).toMatch(/^WARN schema: empty$/m)
      const key = await bootstrap(owner)
      const url = await ready(start(setOf(owner)))
      const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
      expect(me.status).toBe(200)
      const { workspace } = (await me.json()) as { workspace: { id: string } }
      const numbers = only(under(OPERATIONS, 'Phone numbers'))
      const ours = { ...numbers, text: numbers.text.replace(/ws_\w+/, workspace.id) }
      expect(await shell(ours, setOf(owner))).toContain('+4930901820')
      done.add(numbers)
      expect(await shell(only(under(ROTATION, '`SECRETS_KEY`')), setOf(owner))).toContain('No stored value needs')
      expect(await shell(only(under(OPERATIONS, 'A password without mail')), setOf(owner))).toContain('shown this once')
      const [password, second, look] = under(ROTATION, 'Passwords of the database')
      if (!password || !second || !look) throw new Error('docs/rotation.md has other steps')
      await query(owner, password)
      await query(owner, second)
      await query(owner, look)
      const rotated = { ...setOf(as(cluster, 'earshot_b')), DATABASE_MIGRATION_URL: owner }
      expect(await command('doctor', rotated)).toMatch(/^ok {3}grants: /m)
      await ready(start(rotated))
    })

    test.runIf(installed)('backup and restore', { timeout: 180_000 }, async () => {
      const [first, second] = [await newCluster(installed), await newCluster(installed)]
      await query(first.url('postgres'), only(under(OPERATIONS, 'PostgreSQL')))
      const key = await bootstrap(as(first, 'earshot'))
      const at = (cluster: OwnPostgresServer) => ({
        PGHOST: new URL(cluster.url('postgres')).searchParams.get('host') ?? '',
        PGUSER: 'postgres',
      })
      const [dump, roles, restore] = under(OPERATIONS, 'Backup and restore')
      if (!dump || !roles || !restore) throw new Error('docs/operations.md has other steps')
      await shell(dump, at(first), folder)
      await query(second.url('postgres'), roles)
      await shell(restore, at(second), folder)
      const url = await ready(start(setOf(as(second, 'earshot'))))
      const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })
      expect(await me.json()).toMatchObject({ workspace: { name: 'Acme' } })
    })
  },
)

test('a database that lets nobody in is told apart from one that is away', { timeout: 120_000 }, async () => {
  const cluster = clusters[0] ?? (await newCluster())
  const bare = start({ ...setOf(as(cluster, 'nobody')), LOG_LEVEL: 'warn' })
  await expect.poll(() => bare.stdout(), STARTING).toContain('the database of DATABASE_URL refuses Earshot')
  expect(bare.stdout()).toContain('role "nobody" does not exist')
  const away = start({ ...setOf('postgres://earshot@127.0.0.1:1/earshot'), LOG_LEVEL: 'warn' })
  await expect.poll(() => away.stdout(), STARTING).toContain('the database of DATABASE_URL cannot be reached')
})

test.runIf(hasTools)('every printed step was run, or names the machine that it needs', async () => {
  const rest = [...OPERATIONS, ...ROTATION].filter((step) => !done.has(step) && !ELSEWHERE[step.heading])
  expect(rest).toEqual([])
  const known = new Set([...OPERATIONS, ...ROTATION].map(({ text }) => text))
  expect(LIVE.filter(({ text }) => !known.has(text))).toEqual([])
  const citus = await readText('docs/scaling.md').then((text) => text.slice(text.indexOf('## 6. Citus')))
  expect(SCALING.filter(({ heading }) => !citus.includes(`### ${heading}\n`))).toEqual([])
})
