import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql, type RawBuilder } from '../../platform/database/database.ts'
import { compileFilter } from '../../platform/filter/compile.ts'
import type { Filter as Checked } from '../../platform/filter/grammar.ts'
import { filterBody } from '../../platform/filter/schema.ts'
import { newId, type Id } from '../../platform/ids.ts'
import { ENTITIES, OPERATORS, type Entity, type Filter, type Kind, type Row } from '../../testing/filters/contract.ts'
import { holdsOf } from '../../testing/filters/evaluate.ts'
import { makeFilter } from '../../testing/filters/filters.ts'
import { makePerson } from '../../testing/filters/people-rows.ts'
import { Dice } from '../../testing/filters/random.ts'
import * as other from '../../testing/filters/other-rows.ts'
import * as make from '../../testing/filters/rows.ts'
import { insertAround, insertAroundPeople, insertRows } from '../../testing/filters/store.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { propertyRuns } from '../../testing/property-runs.ts'

const ROWS = 500
const { seed: SEED, numRuns: FILTERS } = propertyRuns(20_261_124, 400, 160)
/** Filters in one statement. */
const AT_ONCE = 20

/** Where the rows of an entity are. `key` distinguishes them in four characters. */
const PLACES = {
  responses: { alias: 'r', from: sql`responses r`, key: sql`right(r.id::text, 4)`, tenant: sql`r.tenant_id` },
  people: { alias: 'p', from: sql`people p`, key: sql`right(p.id::text, 4)`, tenant: sql`p.tenant_id` },
  alerts: { alias: 'a', from: sql`alerts a`, key: sql`right(a.id::text, 4)`, tenant: sql`a.tenant_id` },
  leads: { alias: 'l', from: sql`leads l`, key: sql`right(l.id::text, 4)`, tenant: sql`l.tenant_id` },
  sends: { alias: 's', from: sql`sends s`, key: sql`right(s.id::text, 4)`, tenant: sql`s.tenant_id` },
  webhook_deliveries: {
    alias: 'd',
    from: sql`webhook_deliveries d`,
    key: sql`right(d.id::text, 4)`,
    tenant: sql`d.tenant_id`,
  },
  audit: { alias: 'e', from: sql`audit_entries e`, key: sql`right(e.id::text, 4)`, tenant: sql`e.tenant_id` },
}
type Place = (typeof PLACES)[Entity]

/** Rows of the list of texts, where some fields of responses test one text. */
const TEXTS: Place = {
  alias: 'of_text',
  from: sql`verbatims v join responses of_text on of_text.tenant_id = v.tenant_id and of_text.id = v.response_id`,
  key: sql`right(v.response_id::text, 4) || v.question_id`,
  tenant: sql`v.tenant_id`,
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const keyOf = (n: number) => n.toString(16).padStart(4, '0')
const times = <T>(work: (dice: Dice, n: number) => T): T[] => {
  const dice = new Dice(SEED)
  return Array.from({ length: ROWS }, (_, n) => work(dice, n))
}
const seenOf = (rows: make.MadeRow[]) =>
  new Map(rows.flatMap(({ seen, isHidden }, n) => (isHidden ? [] : [[keyOf(n), seen] as const])))

test('random filters choose the same of 500 responses and of their texts as an evaluation by hand', async () => {
  const tenant = newId('workspace')
  const people = times(makePerson)
  const responses = times((dice, n) => make.makeResponse(dice, n, people))
  await insertRows(
    server,
    'people',
    tenant,
    people.map(({ stored }) => stored),
  )
  await insertRows(
    server,
    'responses',
    tenant,
    responses.map(({ stored }) => stored),
  )
  await insertAround(server, tenant, responses)
  await compare(tenant, 'responses', seenOf(responses), PLACES.responses)
  const texts = responses.flatMap((response, n) =>
    response.isHidden
      ? []
      : response.texts.map((text) => [`${keyOf(n)}${text.question}`, make.seenText(response, text)] as const),
  )
  await compare(tenant, 'responses', new Map(texts), TEXTS)
}, 120_000)

test('random filters choose the same of 500 people as an evaluation by hand', async () => {
  const tenant = newId('workspace')
  const people = times(makePerson)
  await insertRows(
    server,
    'people',
    tenant,
    people.map(({ stored }) => stored),
  )
  await insertAroundPeople(server, tenant, people)
  await compare(tenant, 'people', seenOf(people), PLACES.people)
}, 120_000)

test.each([
  ['alerts', 'alerts', other.makeAlert],
  ['leads', 'leads', other.makeLead],
  ['sends', 'sends', other.makeSend],
  ['webhook_deliveries', 'webhook_deliveries', other.makeDelivery],
  ['audit', 'audit_entries', other.makeEntry],
] as const)(
  'random filters choose the same of 500 rows of %s as an evaluation by hand',
  async (entity, table, row) => {
    const tenant = newId('workspace')
    const rows = times(row)
    await insertRows(
      server,
      table,
      tenant,
      rows.map(({ stored }) => stored),
    )
    await compare(tenant, entity, seenOf(rows), PLACES[entity])
  },
  120_000,
)

test('every field and operator of the contract is known, and SQL text in a value is refused or finds nothing', async () => {
  const tenant = newId('workspace')
  for (const entity of Object.keys(ENTITIES) as Entity[])
    for (const [field, kind] of Object.entries(ENTITIES[entity]) as Array<[string, Kind]>)
      for (const op of OPERATORS[kind].filter((each) => !each.startsWith('is_'))) {
        const value = op.endsWith('one_of') ? [make.SQL] : op === 'between' ? [make.SQL, make.SQL] : make.SQL
        const checked = filterBody(entity).safeParse({ all: [{ field, op, value }] })
        const issue = checked.success ? undefined : checked.error.issues[0]?.path.join('.')
        expect([undefined, 'all.0.value'], `${entity} ${field} ${op}`).toContain(issue)
        if (checked.success) expect(await choose(tenant, entity, [checked.data], PLACES[entity])).toEqual([''])
      }
}, 120_000)

/** Runs random filters on the rows of a workspace in both ways. */
async function compare(tenant: Id<'workspace'>, entity: Entity, rows: Map<string, Row>, place: Place): Promise<void> {
  const dice = new Dice(SEED + 1)
  const all = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1))
  let choosing = 0
  const ask = () => {
    const filters = Array.from({ length: AT_ONCE }, () => makeFilter(dice, entity))
    const sound = filters.map((filter) => checked(entity, filter))
    return { filters, answer: choose(tenant, entity, sound, place) }
  }
  let asked = ask()
  for (let done = 0; done < FILTERS; done += AT_ONCE) {
    const { filters, answer } = asked
    const found = await answer
    // The database works on these while the others are evaluated here.
    asked = ask()
    filters.forEach((filter, n) => {
      const holds = holdsOf(entity, filter, make.NOW)
      const expected = all.filter(([, row]) => holds(row)).map(([key]) => key)
      if (expected.join(' ') !== found[n])
        throw new Error(
          `seed ${SEED}, ${entity}: ${JSON.stringify(filter)} ${difference(expected, found[n] ?? '', rows)}`,
        )
      if (expected.length > 0 && expected.length < all.length) choosing += 1
    })
  }
  await asked.answer
  // Many filters must choose, or the comparison says nothing.
  expect(choosing).toBeGreaterThan(FILTERS * 0.4)
}

/** @returns the keys of the rows that pass each filter, in their order. */
async function choose(tenant: Id<'workspace'>, entity: Entity, filters: Checked[], place: Place): Promise<string[]> {
  const { alias, from, key, tenant: column } = place
  const rows = await server.services.run((system) =>
    system.tenant(tenant, { type: 'system' }).read(async (tx) => {
      const parts: RawBuilder<unknown>[] = []
      for (const [n, filter] of filters.entries()) {
        const condition = await compileFilter(entity, filter, { tx, alias, now: make.NOW })
        parts.push(sql`
          select ${n}::int as n, (
            select string_agg(${key}, ' ' order by ${key} collate "C") from ${from} where ${column} = ${tx.tenantId} and ${condition}) as keys`)
      }
      return tx.many(
        sql<{ keys: string | null }>`select keys from (${sql.join(parts, sql` union all `)}) as found order by n`,
      )
    }),
  )
  return rows.map(({ keys }) => keys ?? '')
}

function checked(entity: Entity, filter: Filter): Checked {
  const result = filterBody(entity).safeParse(filter)
  if (!result.success) throw new Error(`seed ${SEED}: ${JSON.stringify(filter)} is refused: ${result.error.message}`)
  return result.data
}

function difference(expected: string[], found: string, rows: Map<string, Row>): string {
  const actual = found === '' ? [] : found.split(' ')
  const [key = ''] = [
    ...expected.filter((each) => !actual.includes(each)),
    ...actual.filter((each) => !expected.includes(each)),
  ]
  return `finds ${actual.length} rows, and should find ${expected.length}. One that differs: ${key} ${JSON.stringify(rows.get(key))}`
}
