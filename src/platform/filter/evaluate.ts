import { parseId } from '../ids.ts'
import { fieldOf, type EntityName, type OwnField, type PlainField } from './entity.ts'
import type { Filter, FilterNode, FilterTest, Operator, Scalar } from './grammar.ts'
import { foldOnce } from './folding.ts'
import { momentOf, spanOf, type Span } from './moments.ts'

/**
 * Whether a row in memory passes a filter, by the same rules as the database.
 * @throws Error for a test that only the database can answer: ask `needsDatabase` first.
 */
export function matches(entity: EntityName, filter: Filter, row: object, now: Date): boolean {
  return holds(entity, filter, row as never, now)
}

/** Whether one of these tests can only be answered by the database, such as membership of a segment. */
export function needsDatabase(entity: EntityName, tests: FilterTest[]): boolean {
  return tests.some(({ field: name, op }) => {
    const field = fieldOf(entity, name)
    return field?.kind === 'own' && !matcherOf(field, op)
  })
}

function matcherOf({ matches: test, inDatabase }: OwnField, op: Operator): OwnField['matches'] {
  return inDatabase?.includes(op) ? undefined : test
}

function holds(entity: EntityName, node: FilterNode, row: never, now: Date): boolean {
  if ('all' in node) return node.all.every((inner) => holds(entity, inner, row, now))
  if ('any' in node) return node.any.some((inner) => holds(entity, inner, row, now))
  if ('not' in node) return !holds(entity, node.not, row, now)
  const field = fieldOf(entity, node.field)
  if (!field) return false
  if (field.kind !== 'own') return testHolds(field, field.read(row), node, now)
  const test = matcherOf(field, node.op)
  if (!test) throw new Error(`${node.op} of ${node.field} can only be tested in the database`)
  return test(node, row, now)
}

function testHolds(field: PlainField, value: unknown, test: FilterTest, now: Date): boolean {
  const members = membersOf(value)
  switch (test.op) {
    case 'is_set':
      return members.length > 0
    case 'is_not_set':
      return members.length === 0
    case 'ne':
      return !members.some((member) => memberHolds(field, member, { ...test, op: 'eq' }, now))
    case 'not_one_of':
      return !members.some((member) => memberHolds(field, member, { ...test, op: 'one_of' }, now))
    default:
      return members.some((member) => memberHolds(field, member, test, now))
  }
}

/** The values of a field that a test compares, one by one. */
function membersOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  if (value instanceof Date || typeof value !== 'object') return [value]
  return Object.values(value).flatMap(membersOf)
}

function memberHolds(field: PlainField, member: unknown, { op, value: given }: FilterTest, now: Date): boolean {
  const values = (Array.isArray(given) ? given : [given]) as Scalar[]
  if (op === 'contains') return foldOnce(textOf(member)).includes(foldOnce(String(values[0])))
  if (op === 'starts_with') return foldOnce(textOf(member)).startsWith(foldOnce(String(values[0])))
  if (field.kind === 'date') return momentHolds((member as Date).getTime(), op, values, now)
  if (op === 'eq' || op === 'one_of') {
    const { idKind } = field
    return values.some((each) => (idKind ? parseId(idKind, String(each)) === member : String(each) === String(member)))
  }
  if (typeof values[0] === 'number') return typeof member === 'number' && inOrder(member, op, numberBounds(values))
  const at = momentOf(String(member))
  return at !== undefined && momentHolds(at.getTime(), op, values, now)
}

/** Numbers without an exponent, as PostgreSQL writes them. */
function textOf(member: unknown): string {
  const text = String(member)
  return typeof member === 'number' && text.includes('e') ? PLAIN.format(member) : text
}

const PLAIN = new Intl.NumberFormat('en', { useGrouping: false, maximumFractionDigits: 100 })

function momentHolds(at: number, op: Operator, values: Scalar[], now: Date): boolean {
  if (op === 'within_days') return Math.abs(now.getTime() - at) <= Number(values[0]) * 86_400_000
  const [low, high = low] = values.map(spanOf) as [Span, Span?]
  const bounds = {
    low: low.from.getTime(),
    high: high.until.getTime(),
    isOpen: high.isDay,
    over: { bound: low.until.getTime(), isIncluded: low.isDay },
  }
  return inOrder(at, op === 'eq' ? 'between' : op, bounds)
}

interface Bounds {
  low: number
  /** The upper bound. For a day: the first moment of the next day, which is outside the range. */
  high: number
  /** Whether `high` itself is out of the range. */
  isOpen: boolean
  /** The same for the lower bound, with `gt`. */
  over: { bound: number; isIncluded: boolean }
}

function numberBounds([low, high = low]: Scalar[]): Bounds {
  const bound = Number(low)
  return { low: bound, high: Number(high), isOpen: false, over: { bound, isIncluded: false } }
}

function inOrder(value: number, op: Operator, { low, high, isOpen, over }: Bounds): boolean {
  const isUpTo = isOpen ? value < high : value <= high
  if (op === 'gt') return over.isIncluded ? value >= over.bound : value > over.bound
  if (op === 'gte') return value >= low
  if (op === 'lt') return value < low
  return op === 'lte' ? isUpTo : value >= low && isUpTo
}
