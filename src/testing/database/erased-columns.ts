import { expect } from 'vitest'
import { features } from '../../features.ts'
import type { Declared } from '../../platform/fields/entity.ts'
import type { ValueType } from '../../platform/fields/values.ts'
import type { TestServer } from '../harness.ts'

const DECLARED = features.flatMap((feature) => Object.values<Declared>(feature.entities ?? {}))

// Values for columns that a fixture leaves blank. JSON is the fixture's.
const FILLED: Partial<Record<ValueType, string>> = { text: 'id::text', id: 'id', list: `array['regular']` }

/** Tables whose rows outlive their person: an erasure clears columns of them. */
export const TABLES_THAT_STAY = DECLARED.filter((entity) => erasedColumns(entity).length > 0).map(({ table }) => table)

/** Fills each column that an erasure has to clear, in all rows. */
export async function fillErasedColumns({ peek }: TestServer, table: string): Promise<void> {
  for (const { column, filled, to } of erasedColumns(entityOf(table))) {
    if (filled) await peek(`update ${table} set ${column} = ${filled} where ${column} is not distinct from (${to})`)
    const [row] = await peek(`select 1 from ${table} where ${column} is distinct from (${to}) limit 1`)
    expect(row, `${table}.${column} has nothing to erase`).toBeDefined()
  }
}

// Which rows of a table an erasure reached, if that is no time in a column of them.
const ERASED: Record<string, string> = {
  sends: `address_hash = ''`,
  alerts: 'response_id in (select id from responses where erased_at is not null)',
}

/** Columns that still hold something in erased rows. @throws if there is no such row. */
export async function leftInErased({ peek }: TestServer, table: string): Promise<string[]> {
  const entity = entityOf(table)
  const isErased = ERASED[table] ?? 'erased_at is not null'
  const left: string[] = []
  for (const { column, to } of erasedColumns(entity)) {
    const [rows] = await peek<{ all: number; left: number }>(
      `select count(*)::int as all, count(*) filter (where ${column} is distinct from (${to}))::int as left
       from ${table} where ${isErased}`,
    )
    expect(rows?.all, `erased rows of ${table}`).toBeGreaterThan(0)
    if (rows?.left !== 0) left.push(column)
  }
  return left
}

function entityOf(table: string): Declared {
  const entity = DECLARED.find((each) => each.table === table)
  if (!entity) throw new Error(`${table} has no declaration`)
  return entity
}

function erasedColumns({ columns }: Declared) {
  return [...columns].flatMap(([column, { is, erased, sealed }]) =>
    typeof erased === 'object' ? [{ column, filled: sealed ? sealedIn(columns) : FILLED[is.type], to: erased.to }] : [],
  )
}

/** A sealed text opens in each sealed column of its row. */
function sealedIn(columns: Declared['columns']): string {
  return `coalesce(${[...columns].flatMap(([name, { sealed }]) => (sealed ? [name] : [])).join(', ')})`
}
