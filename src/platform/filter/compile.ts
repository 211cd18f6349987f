import { sql, type RawBuilder } from '../database/database.ts'
import { parseId } from '../ids.ts'
import { fieldOf, guardOf, type EntityName, type FilterContext, type PlainField } from './entity.ts'
import {
  COMPARISONS,
  testsOf,
  type Filter,
  type FilterNode,
  type FilterTest,
  type Operator,
  type Scalar,
} from './grammar.ts'
import { wordsTest } from './folding.ts'
import { DATE_TEXT, spanOf, type Span } from './moments.ts'

type Condition = RawBuilder<unknown>

const TRUE = sql`true`
const FALSE = sql`false`
/** The path of every text, number and truth within a JSON value. */
export const SCALARS = '$.** ? (@.type() == "string" || @.type() == "number" || @.type() == "boolean")'

/**
 * A filter as one SQL condition on the rows of `context.alias`, with what the entity keeps from every reader. Values
 * and names reach the database as parameters only. The filter was checked by the schema.
 */
export async function compileFilter(entity: EntityName, filter: Filter, context: FilterContext): Promise<Condition> {
  const guard = guardOf(entity)
  const condition = await compileNode(entity, plainly(filter), context, false)
  return guard ? sql`${guard(context, testsOf(filter).length > 0)} and ${condition}` : condition
}

/** The same for a list that has other conditions too. */
export async function compileBeside(
  others: Condition,
  entity: EntityName,
  filter: Filter | undefined,
  context: FilterContext,
): Promise<Condition> {
  return sql`${others} and ${await compileFilter(entity, filter ?? { all: [] }, context)}`
}

/**
 * The same filter in a plain form, so that tests which can be joined stand side by side. A group of one is its member,
 * a group within its like joins it, and `all` of several `not` is `not` of one `any`.
 */
function plainly(node: FilterNode): FilterNode {
  if ('field' in node) return node
  if ('not' in node) return { not: plainly(node.not) }
  const isAll = 'all' in node
  const nodes = (isAll ? node.all : node.any).map(plainly)
  const flat = nodes.flatMap((inner) =>
    isAll && 'all' in inner ? inner.all : !isAll && 'any' in inner ? inner.any : [inner],
  )
  const [first] = flat
  if (flat.length === 1 && first) return first
  if (!isAll) return { any: flat }
  const denied = flat.flatMap((inner) => ('not' in inner ? [inner.not] : []))
  if (denied.length < 2) return { all: flat }
  const others = flat.filter((inner) => !('not' in inner))
  const none: FilterNode = { not: plainly({ any: denied }) }
  return others.length === 0 ? none : { all: [...others, none] }
}

/** @param isNegated whether the condition stands below a `not`, where an unset value must be false and not unknown. */
async function compileNode(
  entity: EntityName,
  node: FilterNode,
  context: FilterContext,
  isNegated: boolean,
): Promise<Condition> {
  if ('field' in node) {
    const test = await compileTest(entity, node, context)
    return isNegated ? sql`(${test}) is true` : test
  }
  if ('not' in node) return sql`not (${await compileNode(entity, node.not, context, true)})`
  const nodes = 'all' in node ? node.all : joinWords(entity, node.any)
  const conditions = await Promise.all(nodes.map((inner) => compileNode(entity, inner, context, isNegated)))
  if (conditions.length === 0) return 'all' in node ? TRUE : FALSE
  return sql`(${sql.join(conditions, 'all' in node ? sql` and ` : sql` or `)})`
}

/** The members of an `any`. Tests for words of the same field become one test, so its values are read once. */
function joinWords(entity: EntityName, nodes: FilterNode[]): FilterNode[] {
  const joined = new Map<string, FilterTest & { value: Scalar[] }>()
  return nodes.flatMap((node): FilterNode[] => {
    if (!('field' in node) || (node.op !== 'contains' && node.op !== 'starts_with')) return [node]
    if (fieldOf(entity, node.field)?.kind === 'own') return [node]
    const key = `${node.op} ${node.field}`
    const known = joined.get(key)
    known?.value.push(node.value as Scalar)
    if (known) return []
    const first = { ...node, value: [node.value as Scalar] }
    joined.set(key, first)
    return [first]
  })
}

async function compileTest(entity: EntityName, test: FilterTest, context: FilterContext): Promise<Condition> {
  const field = fieldOf(entity, test.field)
  // A stored filter may outlive a field.
  if (!field) return FALSE
  return field.kind === 'own' ? field.compile(test, context) : compilePlain(field, test, context)
}

/** One test of a field whose value one expression gives. */
export function compilePlain(field: PlainField, test: FilterTest, context: FilterContext): Condition {
  const condition = compileTestOf(field, test, context)
  return field.opens && COMPARISONS.has(test.op) ? sql`(${condition} and ${field.opens(context)})` : condition
}

function compileTestOf(field: PlainField, test: FilterTest, context: FilterContext): Condition {
  const value = field.sql(context)
  switch (field.kind) {
    case 'list':
      return listTest(value, test)
    case 'mixed':
      return mixedTest(value, field, test, context.now)
    case 'id':
      return idTest(value, field, test)
    default:
      return plainTest(value, field, test, context)
  }
}

function plainTest(
  value: Condition,
  field: PlainField,
  { op, value: given }: FilterTest,
  context: FilterContext,
): Condition {
  if (op === 'is_set') return sql`${value} is not null`
  if (op === 'is_not_set') return sql`${value} is null`
  if (op === 'contains' || op === 'starts_with') return wordsTest(value, op, ...textsOf(given))
  if (field.kind === 'date') {
    const moment = field.indexed?.(context)
    const test = dateTest(moment ?? value, op === 'ne' ? 'eq' : op, given as Scalar | Scalar[], context.now)
    const holds = moment ? sql`(${test} and ${value} is not null)` : test
    return op === 'ne' ? sql`${holds} is not true` : holds
  }
  const values = (Array.isArray(given) ? given : [given]).map((each) =>
    field.kind === 'text' ? String(each) : (each as Scalar),
  )
  // An index of whole numbers is not used for others.
  const isWhole = field.isWhole && values.every(Number.isSafeInteger)
  const type = sql.raw(
    isWhole ? 'bigint' : { text: 'text', number: 'numeric', boolean: 'boolean' }[field.kind as 'text'],
  )
  const one = sql`${values[0]}::${type}`
  switch (op) {
    case 'ne':
      return sql`${value} is distinct from ${one}`
    case 'one_of':
      return sql`${value} = any(${values}::${type}[])`
    case 'not_one_of':
      return sql`(${value} = any(${values}::${type}[])) is not true`
    case 'between':
      return sql`${value} between ${one} and ${values[1]}::${type}`
    default:
      return sql`${value} ${SIGNS[op as 'eq']} ${one}`
  }
}

const SIGNS = { eq: sql`=`, gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

function dateTest(value: Condition, op: Operator, given: Scalar | Scalar[], now: Date): Condition {
  if (op === 'within_days') {
    const ms = Number(given) * 86_400_000
    return sql`${value} between ${new Date(now.getTime() - ms)}::timestamptz and ${new Date(now.getTime() + ms)}::timestamptz`
  }
  const [low, high = low] = (Array.isArray(given) ? given : [given]).map(spanOf) as [Span, Span?]
  const after = sql`${value} >= ${low.from}::timestamptz`
  const upTo = high.isDay ? sql`${value} < ${high.until}::timestamptz` : sql`${value} <= ${high.until}::timestamptz`
  const within = sql`(${after} and ${upTo})`
  switch (op) {
    case 'eq':
    case 'between':
      return within
    case 'gt':
      return low.isDay ? sql`${value} >= ${low.until}::timestamptz` : sql`${value} > ${low.from}::timestamptz`
    case 'gte':
      return after
    case 'lt':
      return sql`${value} < ${low.from}::timestamptz`
    default:
      return upTo
  }
}

function idTest(value: Condition, field: PlainField, { op, value: given }: FilterTest): Condition {
  if (op === 'is_set') return sql`${value} is not null`
  if (op === 'is_not_set') return sql`${value} is null`
  const { idKind } = field
  const ids = (Array.isArray(given) ? given : [given])
    .map((text) => (idKind ? parseId(idKind, String(text)) : null))
    .filter((id) => id !== null)
  const isOne = ids.length === 1 ? sql`${value} = ${ids[0]}::uuid` : sql`${value} = any(${ids}::uuid[])`
  return op === 'ne' || op === 'not_one_of' ? sql`(${isOne}) is not true` : isOne
}

// Some lists have an index of the rows where they are not empty.
function listTest(list: Condition, { op, value: given }: FilterTest): Condition {
  const words = textsOf(given)
  switch (op) {
    case 'is_set':
      return sql`${list} <> '{}'`
    case 'is_not_set':
      return sql`coalesce(cardinality(${list}), 0) = 0`
    case 'contains':
    case 'starts_with':
      return sql`(${list} <> '{}' and exists (select from unnest(${list}) as member (word) where ${wordsTest(sql`member.word`, op, ...words)}))`
    case 'ne':
    case 'not_one_of':
      return sql`(${list} && ${words}::text[]) is not true`
    default:
      return sql`(${list} <> '{}' and ${list} && ${words}::text[])`
  }
}

function mixedTest(value: Condition, { isNested }: PlainField, test: FilterTest, now: Date): Condition {
  const { op } = test
  // A null and an empty array are no value.
  const isSet = isNested
    ? sql`coalesce(jsonb_path_exists(${value}, ${SCALARS}::jsonpath), false)`
    : sql`coalesce(${value} <> 'null', false)`
  if (op === 'is_set') return isSet
  if (op === 'is_not_set') return sql`not ${isSet}`
  const isNegative = op === 'ne' || op === 'not_one_of'
  const positive: FilterTest = isNegative ? { ...test, op: op === 'ne' ? 'eq' : 'one_of' } : test
  const isPath = isNested && PATH_OPERATORS[positive.op as 'eq'] !== undefined && !isDate(positive)
  const holds = isPath
    ? pathTest(value, positive)
    : isNested
      ? sql`exists (select from jsonb_path_query(${value}, ${SCALARS}::jsonpath) as member (value) where ${scalarTest(sql`member.value`, positive, now)})`
      : scalarTest(value, positive, now)
  return isNegative ? sql`(${holds}) is not true` : holds
}

function textsOf(given: FilterTest['value']): string[] {
  return (Array.isArray(given) ? given : [given]).map(String)
}

const PATH_OPERATORS = { eq: '==', one_of: '==', gt: '>', gte: '>=', lt: '<', lte: '<=' }

function isDate({ op, value }: FilterTest): boolean {
  return op !== 'eq' && op !== 'one_of' && typeof value !== 'number'
}

// One call for a row. A subquery over the same values takes eight times as long.
function pathTest(value: Condition, { op, value: given }: FilterTest): Condition {
  const isEqual = op === 'eq' || op === 'one_of'
  const forms = (Array.isArray(given) ? given : [given]).flatMap((each) => (isEqual ? formsOf(each as Scalar) : [each]))
  const comparison = PATH_OPERATORS[op as 'eq']
  const path = `$.** ? (${forms.map((_, index) => `@ ${comparison} $v${index}`).join(' || ')})`
  const variables = JSON.stringify(Object.fromEntries(forms.map((form, index) => [`v${index}`, form])))
  return sql`coalesce(jsonb_path_exists(${value}, ${path}::jsonpath, ${variables}::jsonb), false)`
}

/** The values that read the same: a choice may be stored as text or as a number. */
function formsOf(value: Scalar): Scalar[] {
  const text = String(value)
  const forms: Scalar[] = [text]
  if (text !== '' && String(Number(text)) === text && Number.isFinite(Number(text))) forms.push(Number(text))
  if (text === 'true' || text === 'false') forms.push(text === 'true')
  return forms
}

function scalarTest(value: Condition, { op, value: given }: FilterTest, now: Date): Condition {
  const values = (Array.isArray(given) ? given : [given]) as Scalar[]
  const text = sql`(${value} #>> '{}')`
  if (op === 'contains' || op === 'starts_with') return wordsTest(text, op, ...values.map(String))
  if (op === 'eq' || op === 'one_of') {
    const forms = values.flatMap(formsOf).map((form) => JSON.stringify(form))
    return sql`${value} = any(${forms}::text[]::jsonb[])`
  }
  if (typeof values[0] !== 'number')
    return sql`case when ${text} ~ ${DATE_TEXT} then ${dateTest(momentIn(text), op, values, now)} else false end`
  const number = sql`${text}::numeric`
  const [low, high] = values.map((each) => sql`${each}::numeric`)
  const holds =
    op === 'between' ? sql`${number} between ${low} and ${high}` : sql`${number} ${SIGNS[op as 'gt']} ${low}`
  return sql`case when jsonb_typeof(${value}) = 'number' then ${holds} else false end`
}

// To the millisecond, as JavaScript reads it.
function momentIn(text: Condition): Condition {
  return sql`((regexp_replace(${text}, '([.][0-9]{3})[0-9]+', '\\1') || case when length(${text}) = 10 then 'T00:00Z' else '' end)::timestamptz)`
}
