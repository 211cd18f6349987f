import { sql, type TenantTx } from '../../../../platform/database/database.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import type { FilterTest } from '../../../../platform/filter/grammar.ts'
import type { Id } from '../../../../platform/ids.ts'

interface Answerer {
  id: Id<'response'>
  agent_id: Id<'agent'> | null
  person_id: Id<'person'> | null
}

/**
 * Asks the database about a response that it does not have yet, because its row is written with COMMIT. One statement
 * asks for all tests, and for equal ones once.
 */
export async function answerTests(
  tx: TenantTx,
  { id, agent_id, person_id }: Answerer,
  tests: FilterTest[],
  now: Date,
): Promise<Map<FilterTest, boolean>> {
  const asked = [...Map.groupBy(tests, (test) => JSON.stringify(test)).values()]
  if (asked.length === 0) return new Map()
  const conditions = await Promise.all(
    asked.map(([test]) => compileFilter('responses', { all: test ? [test] : [] }, { tx, alias: 'r', now })),
  )
  const { holds } = await tx.one(sql<{ holds: boolean[] }>`
    select array[${sql.join(conditions.map((condition) => sql`(${condition}) is true`))}] as holds
    from (select ${id}::uuid as id, ${agent_id}::uuid as agent_id, ${person_id}::uuid as person_id,
      null::text as anonymity) r`)
  return new Map(asked.flatMap((equal, index) => equal.map((test) => [test, holds[index] === true] as const)))
}
