import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase } from './testing/harness.ts'
import { recordPlans, tellPlans, type Ran } from './testing/plans.ts'
import { makeWorld, runFlows, startOutside } from './testing/plans-flows.ts'
import { multiplyRows, type Sizes } from './testing/plans-rows.ts'

const STATES: Record<string, Sizes & { analyze: 'never' | 'while empty' | 'when filled' }> = {
  'never analyzed': { rows: 20_000, tenants: 20, rowsOfEach: 10, analyze: 'never' },
  'analyzed while empty, then filled': { rows: 20_000, tenants: 20, rowsOfEach: 10, analyze: 'while empty' },
  'with one tenant of 200,000 rows beside 1,000 with 10': { rows: 200_000, tenants: 1_000, rowsOfEach: 10, analyze: 'when filled' },
  'with 1,000 equal tenants': { rows: 20, tenants: 1_000, rowsOfEach: 20, analyze: 'when filled' },
}

// Statements that read more than they answer, whatever the plan.
const MAY_READ_MORE: Record<string, RegExp> = {
  'counts everything that waits': /select j\.pending \+ u\.pending as pending/,
  'counts the part of the log that no sweep has counted yet': /select coalesce\(sum\(c\.n\), 0\)::int as n/,
  'lists by id what is chosen by another time': /and recorded_at >= \$\d+\s+order by id desc/,
}

let outside: Awaited<ReturnType<typeof startOutside>>
const plans = recordPlans()
beforeAll(async () => {
  outside = await startOutside()
})
afterAll(async () => {
  plans.stop()
  await outside.close()
})

describe.each(Object.entries(STATES))('%s', (_, { analyze, ...sizes }) => {
  const ran: { onOldConnections: Ran[]; onNewConnections: Ran[] } = { onOldConnections: [], onNewConnections: [] }
  beforeAll(async () => {
    const database = await cloneDatabase()
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    await tellPlans(owner)
    if (analyze === 'while empty') await owner.query('analyze')
    const old = await outside.startServer(database.url)
    const world = await makeWorld(old, outside)
    // Once before there is much to read: the connection prepares its statements.
    await runFlows(old, world, 0)
    await multiplyRows(owner, world.workspace.workspaceId, sizes)
    if (analyze === 'when filled') await owner.query('analyze')
    ran.onOldConnections = await plans.during(() => runFlows(old, world, 1))
    await old.close()
    const fresh = await outside.startServer(database.url, old.clock.now())
    ran.onNewConnections = await plans.during(() => runFlows(fresh, world, 2))
    await fresh.close()
    await owner.end()
    await database.drop()
  }, 600_000)

  test.each(['onOldConnections', 'onNewConnections'] as const)('no hot statement reads many more rows than it answers, %s', (connections) => {
    expect([...new Set(ran[connections].flatMap(excessOf))]).toEqual([])
  })

  test('every prepared statement is run', () => {
    const names = new Set(Object.values(ran).flatMap((all) => all.map(({ name }) => name)))
    const missing = preparedStatements().filter((name) => !names.has(name))
    expect(missing, 'run it in the flows of src/testing/plans-flows.ts').toEqual([])
  })
})

test('a prepared statement is found by its name in the source', () => {
  expect(preparedStatements()).toEqual(expect.arrayContaining(['claim-due', 'find_tenant', 'insert-ledger-arrivals', 'list-subscribers']))
})

function excessOf({ name, text, rows, reads }: Ran): string[] {
  if (Object.values(MAY_READ_MORE).some((exempt) => exempt.test(text))) return []
  // Rows that an index passes over without a filter are seen by its pages alone.
  return reads
    .filter((read) => read.rows > 100 + 4 * rows || read.pages > 100 + 8 * rows)
    .map((read) => `${name ?? text.replace(/\s+/g, ' ').trim()}: ${read.what} reads ${Math.round(read.rows)} rows and ${read.pages} pages for ${rows}`)
}

function preparedStatements(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^(features|platform)\/.*\.ts$/.test(path) && !/\.(test|fixture)\.ts$/.test(path),
  )
  return files.flatMap((path) =>
    [...readFileSync(join('src', path), 'utf8').matchAll(/\.(?:prepared|atCommit)(?:<.*>)?\(\s*'([^']+)'/g)].map(([, name = '']) => name),
  )
}
