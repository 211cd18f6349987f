import {
  ENTITIES,
  type Entity,
  type Felt,
  type Kind,
  type Member,
  type Node,
  type Occasion,
  type Row,
  type Scalar,
  type Test,
} from './contract.ts'

const DAY_MS = 86_400_000

type Holds = (row: Row) => boolean
type MemberHolds = (member: Member) => boolean

/** A filter as a function of a row, by the words of docs/filters.md alone. */
export function holdsOf(entity: Entity, node: Node, now: Date): Holds {
  if ('field' in node) return testOf(entity, node, now)
  if ('not' in node) {
    const inner = holdsOf(entity, node.not, now)
    return (row) => !inner(row)
  }
  const all = 'all' in node ? node.all : node.any
  const inner = all.map((each) => holdsOf(entity, each, now))
  return 'all' in node ? (row) => inner.every((holds) => holds(row)) : (row) => inner.some((holds) => holds(row))
}

function testOf(entity: Entity, test: Test, now: Date): Holds {
  const { field, op } = test
  const kind: Kind = (ENTITIES[entity] as Record<string, Kind>)[field] as Kind
  const valuesOf = (row: Row) => row[field] ?? []
  if (kind === 'suppressed' && typeof test.value === 'boolean') {
    const wanted = (op === 'eq') === test.value
    return (row) => valuesOf(row).length > 0 === wanted
  }
  if (kind === 'words' && op === 'search') return (row) => isFound(valuesOf(row).map(String), String(test.value))
  if (op === 'is_set') return (row) => valuesOf(row).length > 0
  if (op === 'is_not_set') return (row) => valuesOf(row).length === 0
  if (op === 'ne' || op === 'not_one_of') {
    const holds = memberTest(kind, { ...test, op: op === 'ne' ? 'eq' : 'one_of' }, now)
    return (row) => !valuesOf(row).some(holds)
  }
  const holds = memberTest(kind, test, now)
  return (row) => valuesOf(row).some(holds)
}

function memberTest(kind: Kind, { op, value }: Test, now: Date): MemberHolds {
  if (kind === 'occasion') return occasionTest(value as number, now)
  const values = [value].flat() as Scalar[]
  if (op === 'contains' || op === 'starts_with') {
    const word = plain(String(values[0]))
    const at = op === 'contains' ? 'includes' : 'startsWith'
    return (member) => plain(written(member))[at](word)
  }
  if (kind === 'sentiment')
    return typeof values[0] === 'number'
      ? (member) => orderOf(op, values as number[])((member as Felt).score)
      : (member) => values.includes((member as Felt).label)
  if (kind === 'date') {
    const holds = timeTest(op, values, now)
    return (member) => holds((member as Date).getTime())
  }
  if (kind === 'number') {
    const holds = orderOf(op, values as number[])
    return (member) => holds(member as number)
  }
  if (op === 'eq' || op === 'one_of') {
    const written = new Set(values.map(String))
    return (member) => written.has(String(member))
  }
  if (typeof values[0] === 'number') {
    const holds = orderOf(op, values as number[])
    return (member) => typeof member === 'number' && holds(member)
  }
  const holds = timeTest(op, values, now)
  return (member) => {
    const at = typeof member === 'string' ? timeOf(member) : undefined
    return at !== undefined && holds(at)
  }
}

function orderOf(op: string, values: number[]): (member: number) => boolean {
  const [low = NaN, high = NaN] = values
  switch (op) {
    case 'gt':
      return (member) => member > low
    case 'gte':
      return (member) => member >= low
    case 'lt':
      return (member) => member < low
    case 'lte':
      return (member) => member <= low
    case 'between':
      return (member) => member >= low && member <= high
    default:
      return (member) => values.includes(member)
  }
}

/** A date means its whole day in UTC: after it is the next day, before it the day before. */
function timeTest(op: string, values: Scalar[], now: Date): (at: number) => boolean {
  const [low, high = low] = values
  if (op === 'within_days') return (at) => Math.abs(at - now.getTime()) <= Number(low) * DAY_MS
  const [first, last] = [timeOf(String(low)) ?? NaN, timeOf(String(high)) ?? NaN]
  const isWithin = (at: number) => (isDay(high) ? at < last + DAY_MS : at <= last)
  switch (op) {
    case 'gt':
      return (at) => !isWithin(at)
    case 'gte':
      return (at) => at >= first
    case 'lt':
      return (at) => at < first
    case 'lte':
      return isWithin
    default:
      return (at) => at >= first && isWithin(at)
  }
}

function isDay(value: unknown): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(String(value))
}

/** Milliseconds of a date or of an RFC 3339 time. Undefined for any other text, and for a day that does not exist. */
function timeOf(text: string): number | undefined {
  const form = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.exec(text)
  const day = form?.[1] === undefined ? NaN : Date.parse(form[1])
  const at = Date.parse(text)
  // JavaScript takes February 30 as March 2.
  const exists = !Number.isNaN(day) && new Date(day).toISOString().startsWith(form?.[1] ?? '?')
  return exists && !Number.isNaN(at) ? at : undefined
}

function occasionTest(value: number | { days: number; survey_id?: string }, now: Date): MemberHolds {
  const { days, survey_id } = typeof value === 'number' ? { days: value, survey_id: undefined } : value
  return (member) => {
    const occasion = member as Occasion
    return (
      occasion.at.getTime() >= now.getTime() - days * DAY_MS &&
      (survey_id === undefined || occasion.survey_id === survey_id)
    )
  }
}

/** Words may stand in different texts of a response, the words of a quote only in one. */
function isFound(texts: string[], search: string): boolean {
  if (texts.length === 0) return false
  const all = texts.map((text) => text.toLowerCase().match(/[a-z]+/g) ?? [])
  const has = (term: string) => {
    const words = term.toLowerCase().match(/[a-z]+/g) ?? []
    if (term.startsWith('"')) return all.some((text) => ` ${text.join(' ')} `.includes(` ${words.join(' ')} `))
    const [word = ''] = words
    return all.flat().some((each) => (term.endsWith('*') ? each.startsWith(word) : each === word))
  }
  const groups = search.split(' or ').map((group) => group.match(/-?(?:"[^"]*"|\S+)/g) ?? [])
  return groups.some(
    (terms) => terms.length > 0 && terms.every((term) => (term.startsWith('-') ? !has(term.slice(1)) : has(term))),
  )
}

/** A number reads as plain digits. */
function written(member: Member): string {
  return typeof member === 'number'
    ? member.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
    : String(member)
}

/** In lower case and without accents. */
function plain(text: string): string {
  const bare = text.normalize('NFD').replaceAll(/\p{Mn}/gu, '')
  return bare.toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ')
}
