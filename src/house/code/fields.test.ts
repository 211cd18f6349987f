import { afterAll, beforeAll, expect, test } from 'vitest'
import { features } from '../../features.ts'
import type { Declared } from '../../platform/fields/entity.ts'
import type { ValueType } from '../../platform/fields/values.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'

// How PostgreSQL names the type of a value.
const TYPES: Record<ValueType, string[]> = {
  text: ['text'],
  whole: ['integer', 'bigint', 'smallint'],
  number: ['double precision', 'numeric', 'real'],
  boolean: ['boolean'],
  date: ['timestamp with time zone', 'timestamp(3) with time zone'],
  id: ['uuid'],
  ids: ['uuid[]'],
  list: ['text[]'],
  json: ['jsonb'],
}

interface Stored {
  name: string
  type: string
  isNullable: boolean
  statistics: number | null
}

const entities = features.flatMap((feature) => Object.values<Declared>(feature.entities ?? {}))

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

type Query = (text: string, values: unknown[]) => Promise<Stored[]>

const inDatabase: Query = (text, values) => server.peek<Stored>(text, values)

/** The differences between a declaration and its table. */
async function gaps({ table, columns }: Declared, query: Query = inDatabase): Promise<string[]> {
  const stored = await query(
    `select attname as name, format_type(atttypid, null) as type, not attnotnull as "isNullable", attstattarget as statistics
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'tenant_id'`,
    [table],
  )
  const known = new Map(stored.map((column) => [column.name, column]))
  return [
    ...stored.flatMap(({ name }) => (columns.has(name) ? [] : [`${table}.${name} has no declaration`])),
    ...[...columns].flatMap(([name, { is, personal }]) => {
      const column = known.get(name)
      if (!column) return [`${table}.${name} is declared and does not exist`]
      return [
        ...(TYPES[is.type].includes(column.type) ? [] : [`${table}.${name} is ${column.type}, declared as ${is.type}`]),
        ...(column.isNullable === is.isNullable ? [] : [`${table}.${name} differs in whether it may be null`]),
        ...((personal === 'words') === (column.statistics === 0)
          ? []
          : [`${table}.${name}: the planner keeps samples of words, or none of the rest`]),
      ]
    }),
  ]
}

test.each(entities.map((entity) => [entity.table, entity] as const))(
  'each column of %s is declared, with its type',
  async (_table, entity) => {
    expect(entity.columns.size).toBeGreaterThan(3)
    expect(await gaps(entity)).toEqual([])
  },
)

test('an erasure clears every column of words and keys in a row that stays', () => {
  const kept = entities.flatMap(({ table, columns }) =>
    [...columns].flatMap(([name, { personal, erased }]) => (personal && erased === 'kept' ? [`${table}.${name}`] : [])),
  )
  expect(kept).toEqual([])
})

test('a column without a declaration is found, and so is one of another type', async () => {
  const entity = entities.find(({ table }) => table === 'leads')
  if (!entity) throw new Error('no entity')
  const found = await server.services.database.asOwner(async (owner) => {
    await owner.script(`begin; alter table ${entity.table} add diary text; alter table ${entity.table} drop updated_at`)
    const answer = await gaps(entity, (text, values) => owner.query<Stored>(text, values))
    await owner.script('rollback')
    return answer
  })
  expect(found).toEqual([
    `${entity.table}.diary has no declaration`,
    `${entity.table}.updated_at is declared and does not exist`,
  ])
})
