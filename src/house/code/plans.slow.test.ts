import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordPlans, tellPlans, type Ran } from '../../testing/database/plans.ts'
import { makeWorld, runFlows, startOutside } from '../../testing/database/plans-flows.ts'
import { createOwnDatabase } from '../../testing/database/plans-database.ts'
import { analyzeWithout, multiplyRows, type Sizes } from '../../testing/database/plans-rows.ts'
import { startPostgres, type PostgresServer } from '../../testing/database/postgres.ts'

const STATES: Record<string, Sizes & { analyze: 'never' | 'while empty' | 'without the tenant' | 'when filled' }> = {
  'never analyzed': { rows: 20_000, tenants: 20, rowsOfEach: 10, analyze: 'never' },
  'analyzed while empty, then filled': { rows: 20_000, tenants: 20, rowsOfEach: 10, analyze: 'while empty' },
  'analyzed before a tenant grew': { rows: 20_000, tenants: 20, rowsOfEach: 100, analyze: 'without the tenant' },
  'with one tenant of 200,000 rows beside 1,000 with 10': {
    rows: 200_000,
    tenants: 1_000,
    rowsOfEach: 10,
    analyze: 'when filled',
  },
  'with 1,000 equal tenants': { rows: 20, tenants: 1_000, rowsOfEach: 20, analyze: 'when filled' },
}

// Statements that read more than they answer, whatever the plan.
const MAY_READ_MORE: Record<string, RegExp> = {
  'counts everything that waits': /filter \(where q\.attempts > 0\) as retried/,
  'counts the part of the log that no sweep has counted yet': /select coalesce\(sum\(c\.n\), 0\)::int as n/,
  'lists by id what is chosen by another time': /and r\.recorded_at >= \$\d+ and .*order by "r"\."id" desc/s,
  'counts the newest 10,000 sends by status': /select c\.status, count\(\*\)::integer as n from/,
}
// The same where an array is to be looked up behind the tenant in a key, which PostgreSQL 17 was the first to do by
// itself.
const MAY_READ_MORE_BEFORE_17: Record<string, RegExp> = {
  'claims and records sends': /with (due|taken) as materialized \(\s*select id from sends/,
  'finds the people who are about to be written to': /select distinct address_hash from sends/,
  'removes settled deliveries': /with settled as materialized \(\s*select d\.id from webhook_deliveries/,
}

// Where the statistics know nothing of the tenant: once through its rows, which the sort of a list, a condition on what
// people did, and the sweep of settled rows do in any case. The tenant's seals and roles are few beside these.
const MAY_READ_MORE_OF_A_NEW_TENANT: Record<string, RegExp> = {
  'lists responses by a field': /from responses r\s+where .*order by "r"\."(recorded_at|score)"/s,
  'filters people by what they did': /"p"\."id" in \(select o\.person_id from/,
  'removes settled deliveries of a new tenant':
    /with settled as materialized \(\s*select d\.id from webhook_deliveries/,
  'lists the audit log with its seals': /s\.previous_hash, s\.hash\s+from \(/,
  'reads a member with their role': /from memberships m\s+join roles r/,
}
const MAY_READ_MORE_OF_A_NEW_TENANT_BEFORE_17: Record<string, RegExp> = {
  'lists rows by any field': /order by .* limit \$\d+$/s,
  'reads a page of deliveries': /from webhook_deliveries d\s+left join lateral/,
  'finds people by ids from elsewhere': /from people k where .* union /s,
  'replaces the words of names': /^\s*delete from people_names/,
  'reads the invitations of sends': /from invitations\s+where tenant_id = \$1 and id = any/,
}

let outside: Awaited<ReturnType<typeof startOutside>>
// Of its own: the long transactions that fill it would hold up what other tests count.
let postgres: PostgresServer
const plans = recordPlans()
beforeAll(async () => {
  outside = await startOutside()
  postgres = await startPostgres()
})
afterAll(async () => {
  plans.stop()
  await outside.close()
  await postgres.stop()
})

describe.each(Object.entries(STATES))('%s', (_, { analyze, ...sizes }) => {
  let mayReadMore: RegExp[] = []
  const ran: { onOldConnections: Ran[]; onNewConnections: Ran[] } = { onOldConnections: [], onNewConnections: [] }
  beforeAll(async () => {
    const database = await createOwnDatabase(postgres)
    const owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
    await tellPlans(owner)
    const { rows } = await owner.query<{ server_version_num: string }>('show server_version_num')
    const isOld = Number(rows[0]?.server_version_num) < 170_000
    const isNew = analyze === 'without the tenant'
    mayReadMore = Object.values({
      ...MAY_READ_MORE,
      ...(isOld && MAY_READ_MORE_BEFORE_17),
      ...(isNew && MAY_READ_MORE_OF_A_NEW_TENANT),
      ...(isOld && isNew && MAY_READ_MORE_OF_A_NEW_TENANT_BEFORE_17),
    })
    if (analyze === 'while empty') await owner.query('analyze')
    const old = await outside.startServer(database.url)
    const world = await makeWorld(old, outside)
    // Once before there is much to read: the connection prepares its statements.
    await runFlows(old, world, 0)
    const { workspaceId } = world.workspace
    if (isNew) {
      await multiplyRows(owner, workspaceId, { ...sizes, rows: 0 })
      await analyzeWithout(owner, workspaceId)
    }
    await multiplyRows(owner, workspaceId, isNew ? { ...sizes, tenants: 0 } : sizes)
    if (analyze === 'when filled') await owner.query('analyze')
    ran.onOldConnections = await plans.during(() => runFlows(old, world, 1))
    await old.close()
    const fresh = await outside.startServer(database.url, old.clock.now())
    ran.onNewConnections = await plans.during(() => runFlows(fresh, world, 2))
    await fresh.close()
    await owner.end()
    await database.drop()
  }, 600_000)

  test.each(['onOldConnections', 'onNewConnections'] as const)(
    'no hot statement reads many more rows than it answers, %s',
    (connections) => {
      expect(
        Object.fromEntries(
          ran[connections].filter(({ text }) => !mayReadMore.some((exempt) => exempt.test(text))).flatMap(excessOf),
        ),
      ).toEqual({})
    },
  )

  test('every prepared statement is run', () => {
    const names = new Set(Object.values(ran).flatMap((all) => all.map(({ name }) => name)))
    const missing = preparedStatements().filter((name) => !names.has(name))
    expect(missing, 'run it in the flows of src/testing/database/plans-flows.ts').toEqual([])
  })
})

test('a prepared statement is found by its name in the source', () => {
  expect(preparedStatements()).toEqual(
    expect.arrayContaining(['claim-due', 'find_tenant', 'insert-ledger-arrivals', 'list-subscribers']),
  )
})

function excessOf({ name, text, rows, reads }: Ran): Array<[string, string]> {
  // Rows that an index passes over without a filter are seen by its pages alone.
  return reads
    .filter((read) => read.rows > 100 + 4 * rows || read.pages > 100 + 8 * rows)
    .map((read) => [
      `${name ?? text.replace(/\s+/g, ' ').trim()}: ${read.what}`,
      `${Math.round(read.rows)} rows on ${read.pages} pages for ${rows}`,
    ])
}

function preparedStatements(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^(features|platform)\/.*\.ts$/.test(path) && !/\.(test|fixture)\.ts$/.test(path),
  )
  return files.flatMap((path) =>
    [...readFileSync(join('src', path), 'utf8').matchAll(/\bname: '([^']+)',\s*text\b/g)].map(([, name = '']) => name),
  )
}
