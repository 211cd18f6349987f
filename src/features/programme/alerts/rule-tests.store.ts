import { sql, type TenantTx } from '../../../platform/database.ts'
import { compileFilter } from '../../../platform/filter/compile.ts'
import type { FilterTest } from '../../../platform/filter/grammar.ts'
import type { Id } from '../../../platform/ids.ts'

interface Answerer {
  id: Id<'response'>
  agent_id: Id<'agent'> | null
  person_id: Id<'person'> | null
}

/** What the database says of a response that it does not have yet, because its row is written with COMMIT. */
export async function answerTests(
  tx: TenantTx,
  { id, agent_id, person_id }: Answerer,
  tests: FilterTest[],
  now: Date,
): Promise<boolean[]> {
  const conditions = await Promise.all(
    tests.map((test) => compileFilter('responses', { all: [test] }, { tx, alias: 'r', now })),
  )
  const { holds } = await tx.one(sql<{ holds: boolean[] }>`
    select array[${sql.join(conditions.map((condition) => sql`(${condition}) is true`))}] as holds
    from (select ${id}::uuid as id, ${agent_id}::uuid as agent_id, ${person_id}::uuid as person_id,
      null::text as anonymity) r`)
  return holds
}
