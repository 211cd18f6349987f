import { sql, type TenantTx } from '../../../../platform/database/database.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import { fieldOf } from '../../../../platform/filter/entity.ts'
import { MOST_TESTS, type FilterTest, type Scalar } from '../../../../platform/filter/grammar.ts'
import type { Id } from '../../../../platform/ids.ts'
import { startSlices } from '../../../../platform/loop/turns.ts'

interface Answerer {
  id: Id<'response'>
  agent_id: Id<'agent'> | null
  person_id: Id<'person'> | null
}

/** A test as questions for the database. It holds if one of them does, or if none does. */
interface Form {
  isNegated: boolean
  questions: FilterTest[]
}

/** Tests in one statement, with those of the segments that it asks for. */
const MOST_AT_ONCE = 4 * MOST_TESTS

/**
 * Asks the database about a response that it does not have yet, because its row is written with COMMIT. Each team or
 * segment is asked for once, whatever tests name it, and one statement asks for as many as the event loop bears.
 */
export async function answerTests(
  tx: TenantTx,
  answerer: Answerer,
  tests: FilterTest[],
  now: Date,
): Promise<Map<FilterTest, boolean>> {
  const slices = startSlices()
  const asked = new Map<string, FilterTest>()
  const forms: Array<{ test: FilterTest; isNegated: boolean; keys: string[] }> = []
  for (const test of tests) {
    if (slices.isOver()) await slices.next()
    const { isNegated, questions } = formOf(test, answerer)
    const keys = questions.map((question) => JSON.stringify(question))
    keys.forEach((key, index) => asked.set(key, questions[index] as FilterTest))
    forms.push({ test, isNegated, keys })
  }
  const holding = new Set<string>()
  for (const keys of batchesOf(asked)) {
    const questions = keys.map((key) => asked.get(key) as FilterTest)
    const holds = await ask(tx, answerer, questions, now)
    keys.forEach((key, index) => holds[index] && holding.add(key))
  }
  return new Map(forms.map(({ test, isNegated, keys }) => [test, keys.some((key) => holding.has(key)) !== isNegated]))
}

/**
 * Tests that mean the same have equal questions. A segment is a question of its own, and none where the response names
 * no person.
 */
function formOf(test: FilterTest, answerer: Answerer): Form {
  const { field, op, value } = test
  const isNegated = op === 'ne' || op === 'not_one_of'
  if (!isNegated && op !== 'eq' && op !== 'one_of') return { isNegated, questions: [test] }
  const values = [...new Set((Array.isArray(value) ? value : [value]) as Scalar[])].sort()
  const column = namedBy(test)
  if (column && answerer[column] === null) return { isNegated, questions: [] }
  const groups = column ? values.map((each) => [each]) : [values]
  return { isNegated, questions: groups.map((group) => ({ field, op: 'one_of', value: group })) }
}

function* batchesOf(asked: ReadonlyMap<string, FilterTest>): Generator<string[]> {
  let batch: string[] = []
  let size = 0
  for (const [key, test] of asked) {
    batch.push(key)
    size += namedBy(test) ? MOST_TESTS : 1
    if (size < MOST_AT_ONCE) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

function namedBy({ field: name }: FilterTest): 'person_id' | undefined {
  const field = fieldOf('responses', name)
  return field?.kind === 'own' ? field.namesFilters : undefined
}

async function ask(
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
