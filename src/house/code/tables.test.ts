import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DISTRICTS } from '../../testing/code/districts.ts'

const SRC = fileURLToPath(new URL('../../', import.meta.url))
const MIGRATIONS = fileURLToPath(new URL('../../../migrations/', import.meta.url))
const NAMED = /\b(insert into|update|delete from|from|join|using)\s+([a-z_]+)/g
const WRITES = ['insert into', 'update', 'delete from']

/** A store that reads a table of a district below its own, and why no service can be asked. */
const READS_FROM_ABOVE: Record<string, { table: string; because: string }> = {
  'features/surveys/surveys/quotas.store.ts': {
    table: 'responses',
    because: 'a limit that is set later counts what was completed before it',
  },
}

/** Tables that a feature's SQL names besides its own. To delete a table's feature, look here for what breaks. */
const READS_OF_OTHERS: Record<string, Record<string, string>> = {
  'access/api-keys': {
    memberships: 'each request asks for the key and its maker at once',
    roles: 'the permissions of the maker, in the same statement',
    workspaces: 'the addresses that may enter, in the same statement',
  },
  'access/members': { roles: 'a member is shown with the role' },
  'access/roles': {
    member_invitations: 'a role that is offered cannot be deleted',
    memberships: 'a role that is held cannot be deleted',
  },
  'access/sessions': {
    memberships: 'each request asks for the session and its member at once',
    roles: 'the permissions of the member, in the same statement',
    workspaces: 'the addresses that may enter, in the same statement',
  },
  'answers/exported-responses': { responses: 'a part of the responses, in a folder above the texts' },
  'answers/reporting': { responses: 'it counts them where they are' },
  'answers/verbatim': {
    responses: 'a text stays in its response, and is listed by what the response says',
    workspaces: 'an insert of many rows selects from a table of the tenant',
  },
  'delivery/notifications': { events: 'a notification shows its event' },
  'delivery/webhooks': { events: 'a delivery sends its event' },
  'outreach/conversations': { inbound_numbers: 'those on a number of the workspace are its own' },
  'outreach/invitations': { people: 'a segment is copied in the database, however large it is' },
  'outreach/people': {
    responses: 'filters ask who responded, and the timeline shows it',
    sends: 'filters ask who was invited, and the timeline shows it',
    suppressions: 'filters ask who gets no messages',
  },
  'outreach/segments': {
    agents: 'references are checked in one statement',
    memberships: 'references are checked in one statement',
    people: 'a segment is a filter on people',
  },
  'programme/adept': { responses: 'it counts them where they are' },
  'programme/alerts': { responses: 'an alert shows its response, and a drop is counted from them' },
  'programme/dashboards': {
    agents: 'figures are grouped by their team',
    alerts: 'it counts them where they are',
    responses: 'it counts them where they are',
    sends: 'it counts them where they are',
    webhook_deliveries: 'it counts them where they are',
  },
  'programme/leaderboards': { responses: 'it counts them where they are', sends: 'it counts them where they are' },
  'surveys/surveys': { responses: 'a limit that is set later counts what was completed before it' },
  'trust/data-protection': { workspaces: 'an insert of many rows selects from a table of the tenant' },
}

interface Use {
  store: string
  table: string
  writes: boolean
}

const migrations = readdirSync(MIGRATIONS)
  .toSorted()
  .map((name) => readFileSync(MIGRATIONS + name, 'utf8'))
const tables = tablesAfter(migrations)
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /^(?:features|http|platform)\/.*(?<!\.test|\.fixture)\.ts$/.test(path),
)
const uses = files.flatMap((path) => usesIn(path, readFileSync(SRC + path, 'utf8')))
const owners = ownersOf(uses)

test('the stores and the tables are found', () => {
  expect(new Set(uses.map(({ store }) => store)).size).toBeGreaterThan(40)
  expect(tables.size).toBeGreaterThan(40)
  expect([...tables].filter((table) => !owners.has(table))).toEqual([])
})

test('each table is written by the stores of one feature', () => {
  expect(
    [...owners].filter(([, rooms]) => rooms.size > 1).map(([table, rooms]) => `${table}: ${[...rooms].join(', ')}`),
  ).toEqual([])
})

test('no store reads a table of a district below its own', () => {
  expect(climbs(uses, owners)).toEqual(
    Object.entries(READS_FROM_ABOVE).map(([store, { table }]) => `${store} reads ${table}`),
  )
})

test('no feature names the table of another in its SQL, unless it says why', () => {
  const declared = Object.entries(READS_OF_OTHERS).flatMap(([room, tablesOf]) =>
    Object.keys(tablesOf).map((table) => `${room} reads ${table}`),
  )
  expect(readsOfOthers(uses, owners)).toEqual(declared.toSorted())
})

test('each statement that a store hands out is run', () => {
  const sources = files.map((path) => ({ path, text: readFileSync(SRC + path, 'utf8') }))
  const names = sources.flatMap(({ text }) =>
    [...text.matchAll(/^export function (\w+)\([^)]*\): Statement\b/gm)].map(([, name = '']) => name),
  )
  expect(names.length).toBeGreaterThan(5)
  expect(sources.flatMap(({ path, text }) => leftStatements(names, text).map((name) => `${path}: ${name}`))).toEqual([])
  expect(leftStatements(['insertA'], 'f(\n  store.insertA(tx),\n)\ntx.atCommit(insertA(tx))')).toEqual([])
  expect(leftStatements(['insertA', 'insertB'], 'await store.insertA(tx)\n  insertB(tx)')).toEqual([
    'insertA',
    'insertB',
  ])
})

test('a table that a later migration drops is none, until one makes it again', () => {
  const made = 'create table a (\n  id uuid\n);\ncreate table if not exists b (id uuid);\ncreate table c (id uuid);'
  expect([...tablesAfter([made, 'drop table if exists a,\n  b;\n-- drop table c;'])]).toEqual(['c'])
  expect([...tablesAfter([made, 'drop table a;', 'create unlogged table a (id uuid);'])]).toEqual(['b', 'c', 'a'])
})

test('a second writer and a climbing reader are found', () => {
  const written = usesIn('features/access/a/a.store.ts', 'sql`insert into users (id) values (1)`')
  const others = usesIn(
    'features/answers/b/b.store.ts',
    'sql`update users set id = 2`; sql`delete from responses r using users u`',
  )
  const reading = usesIn(
    'features/surveys/c/c.store.ts',
    '// from responses\nsql`select 1 from surveys s join responses r on true`',
  )
  const owned = ownersOf([...written, ...others])
  expect(owned.get('users')?.size).toBe(2)
  expect(climbs(reading, owned)).toEqual(['features/surveys/c/c.store.ts reads responses'])
  expect(readsOfOthers([...written, ...others, ...reading], owned)).toEqual(['surveys/c reads responses'])
})

function usesIn(store: string, text: string): Use[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const found = new Map<string, Use>()
  for (const [, verb = '', table = ''] of code.matchAll(NAMED)) {
    if (!tables.has(table)) continue
    const writes = WRITES.includes(verb) || (found.get(table)?.writes ?? false)
    found.set(table, { store, table, writes })
  }
  return [...found.values()]
}

/** Calls whose statement nobody takes: they stand alone on their line, and no line before them opens a parenthesis. */
function leftStatements(names: string[], text: string): string[] {
  const call = new RegExp(`^\\s*(?:await )?(?:\\w+\\.)?(${names.join('|')})\\(`)
  const lines = text.split('\n')
  return lines.flatMap((line, at) => (/[(,[]$/.test(lines[at - 1] ?? '') ? [] : (call.exec(line)?.[1] ?? [])))
}

/** The tables that exist after all of these migrations, in their order. */
function tablesAfter(texts: string[]): Set<string> {
  const found = new Set<string>()
  const steps =
    /^\s*(?:create (?:unlogged )?table (?:if not exists )?(\w+)|drop table (?:if exists )?(\w+(?:,\s*\w+)*))/gm
  for (const [, created, dropped] of texts.flatMap((text) => [...text.matchAll(steps)])) {
    if (created !== undefined) found.add(created)
    for (const name of dropped?.split(/,\s*/) ?? []) found.delete(name)
  }
  return found
}

/** The features whose stores write each table; `platform` and `http` have tables of their own. */
function ownersOf(all: Use[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { store, table, writes } of all)
    if (writes) found.set(table, (found.get(table) ?? new Set()).add(roomOf(store)))
  return found
}

function climbs(all: Use[], owned: Map<string, Set<string>>): string[] {
  return all
    .filter(({ store, table }) => [...(owned.get(table) ?? [])].some((room) => floorOf(room) > floorOf(roomOf(store))))
    .map(({ store, table }) => `${store} reads ${table}`)
}

/** Tables are found by the word before them, so a list of names in a text is not. */
function readsOfOthers(all: Use[], owned: Map<string, Set<string>>): string[] {
  const isForeign = ({ store, table }: Use) => {
    const owner = [...(owned.get(table) ?? [])].find((room) => room.includes('/'))
    return store.startsWith('features/') && owner !== undefined && !owned.get(table)?.has(roomOf(store))
  }
  return [...new Set(all.filter(isForeign).map(({ store, table }) => `${roomOf(store)} reads ${table}`))].toSorted()
}

function roomOf(path: string): string {
  return path.startsWith('features/') ? path.split('/').slice(1, 3).join('/') : (path.split('/')[0] ?? '')
}

function floorOf(room: string): number {
  return DISTRICTS.indexOf(room.split('/')[0] ?? '')
}
