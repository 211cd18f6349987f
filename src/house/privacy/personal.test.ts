import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { features } from '../../features.ts'
import { WRITTEN_BY_MEMBERS } from '../../features/trust/data-protection/residual-mentions.service.ts'
import { upkeep } from '../../http/upkeep.ts'
import type { PersonalData } from '../../platform/personal.ts'
import { personalColumns, personalGaps, TABLES_WITHOUT_PERSONAL_DATA } from '../../testing/database/catalogue.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'

const declared: PersonalData[] = [...features, upkeep].flatMap((feature) => feature.personal ?? [])
const columns = personalColumns(declared)
// A keyed hash or an id reveals nothing, and statements find rows by it.
const READABLE = /(?<!hash|hashes|_key|_id|language)$/

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('every table with text either declares its personal data or says why it has none', async () => {
  expect(columns.length).toBeGreaterThan(15)
  expect(await personalGaps(server.peek, declared)).toEqual([])
  expect(Object.values(TABLES_WITHOUT_PERSONAL_DATA).filter((reason) => reason.length < 10)).toEqual([])
})

test('a new table with text is found, and so is a column that does not exist', async () => {
  const gaps = await server.services.database.asOwner(async (owner) => {
    await owner.script('begin; create table diary (tenant_id uuid primary key, entry text)')
    const found = await personalGaps((text, values) => owner.query(text, values), declared)
    await owner.script('rollback')
    return found
  })
  expect(gaps).toEqual(['diary holds text, and nobody says whether it is personal'])
  const wrong = [...declared, { more: { events: ['gone'] } }]
  expect(await personalGaps(server.peek, wrong)).toEqual(['events.gone is declared and does not exist'])
})

test('each table and column that members write, as a certificate names them, exists', async () => {
  const rows = await server.peek<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  const named = Object.entries(WRITTEN_BY_MEMBERS).flatMap(([table, { columns: written, ...other }]) =>
    ['id' in other ? other.id : 'id', ...('version' in other ? [other.version] : []), ...written].map(
      (column) => `${table}.${column}`,
    ),
  )
  const known = rows.map(({ name }) => name)
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('the planner keeps no samples of what people wrote', async () => {
  for (const name of columns.filter((column) => READABLE.test(column))) {
    const [table, column] = name.split('.')
    const [row] = await server.peek<{ target: number }>(
      'select attstattarget as target from pg_attribute where attrelid = $1::regclass and attname = $2',
      [table, column],
    )
    expect(row, name).toEqual({ target: 0 })
  }
})

/** The names in the first columns of a table of docs/privacy.md. */
async function namesUnder(document: string, heading: string, column: number): Promise<string[]> {
  const text = await readFile(new URL(`../../../docs/${document}`, import.meta.url), 'utf8')
  const section = text.slice(text.indexOf(`${heading}\n`)).split(/\n##/)[0] ?? ''
  const cells = section.split('\n').flatMap((line) => (line.startsWith('|') ? [line.split('|')[column] ?? ''] : []))
  return cells.flatMap((cell) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name))
}

test('docs/privacy.md names each table with personal data, and each store of an erasure, and no other', async () => {
  const tables = new Set(columns.map((column) => column.split('.')[0] ?? ''))
  const told = await namesUnder('privacy.md', '## What is stored', 2)
  expect([...tables].filter((table) => !told.includes(table))).toEqual([])
  const exist = await server.peek<{ name: string }>(`select relname as name from pg_class where relkind = 'r'`)
  expect(told.filter((name) => !exist.some((table) => table.name === name))).toEqual([])
  const stores = declared.flatMap(({ stores = [] }) => stores.map(({ store }) => store))
  expect((await namesUnder('privacy.md', '### What an erasure does', 1)).sort()).toEqual([...new Set(stores)].sort())
})
