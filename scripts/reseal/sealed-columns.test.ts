import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecretBox, Secret } from '../../src/platform/config/secrets.ts'
import { parseId } from '../../src/platform/ids.ts'
import { createWorkspace, type TestWorkspace } from '../../src/testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../src/testing/harness.ts'
import { leftovers, reseal } from './reseal.ts'
import { SEALED } from './sealed-columns.ts'

const OLD = 'an-older-key-for-tests-that-is-long-enough'
const NEW = 'a-newer-key-for-tests-that-is-long-enough'
const SRC = fileURLToPath(new URL('../../src/', import.meta.url))

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer({ env: { SECRETS_KEY: `${NEW},${OLD}` } })
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

async function columnsThatExist(): Promise<string[]> {
  const rows = await server.peek<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  return rows.map(({ name }) => name)
}

test('each table, key and column that is sealed anew exists', async () => {
  const known = await columnsThatExist()
  const named = SEALED.flatMap(({ table, key, numbers = [], columns }) =>
    [...key, ...numbers, ...Object.keys(columns)].map((column) => `${table}.${column}`),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('each context by which the server seals a column is one of the script', async () => {
  const tables = new Set((await columnsThatExist()).map((name) => name.split('.')[0]))
  const sealing = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path))
    .map((path) => readFileSync(SRC + path, 'utf8'))
    .filter((text) => /\bsecrets\.(?:seal|open)\(/.test(text))
  // `sends:${id}` of the code is `sends:*` here.
  const used = sealing
    .flatMap((text) => [...text.matchAll(/`([a-z_]+)(?:\.[a-z_]+)?(?::[^`]*)`/g)])
    .filter(([, table = '']) => tables.has(table))
    .map(([context]) => context.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, '*'))
  const anyRow = new Proxy({}, { get: () => '*' })
  const own = SEALED.flatMap(({ columns }) => Object.values(columns).map((contextOf) => contextOf(anyRow)))
  // The archives of access requests go after seven days.
  expect([...new Set(used)].toSorted()).toEqual([...new Set([...own, 'privacy_archives:*:*'])].toSorted())
})

test('rows whose key is a number are sealed anew, in more than one batch', async () => {
  const older = createSecretBox([new Secret(OLD)])
  const newer = createSecretBox([new Secret(NEW)])
  const tenant = parseId('workspace', workspace.workspaceId)
  const invitation = '00000000-0000-7000-8000-000000000001'
  const positions = Array.from({ length: 450 }, (_, position) => position)
  const values = positions.map((position) => older.seal(`${position}`, `invitation_skips:${invitation}:${position}`))
  await server.peek(
    `insert into invitations
       (tenant_id, id, survey_id, channel, send_at, reminders, accepted, deferred, skipped, created_at)
     values ($1, $2, $2, 'email', now(), '[]', 0, 0, '{}', now())`,
    [tenant, invitation],
  )
  await server.peek(
    `insert into invitation_skips (tenant_id, invitation_id, position, address_hash, sealed, reason, skipped_at)
     select $1, $2, position, '', sealed, 'suppressed', now()
     from unnest($3::integer[], $4::text[]) as skipped (position, sealed)`,
    [tenant, invitation, positions, values],
  )
  expect(await leftovers(server.services)).toEqual([{ column: 'invitation_skips.sealed', rows: 450 }])
  expect(await reseal(server.services)).toEqual({ sealed: 450, failed: 0 })
  expect(await leftovers(server.services)).toEqual([])
  const [last] = await server.peek<{ sealed: string }>('select sealed from invitation_skips where position = 449')
  expect(newer.open(last?.sealed ?? '', `invitation_skips:${invitation}:449`)).toBe('449')
})
