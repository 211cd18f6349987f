import { type RawBuilder, sql } from '../../../platform/database.ts'
import { matches } from '../../../platform/filter/evaluate.ts'
import { testsOf, type Filter, type FilterNode, type FilterTest } from '../../../platform/filter/grammar.ts'
import { blankResponse, type ResponseRow } from '../responses/response-row.ts'
import type { FactCondition } from './facts.store.ts'

type Parts = Array<string | null>

/** Field → the facts about it, and a response of which nothing but this fact is known. */
const FIELDS: Record<string, { kind: string; row: (parts: Parts) => Partial<Record<keyof ResponseRow, unknown>> }> = {
  state: { kind: 'state', row: ([state]) => ({ state }) },
  channel: { kind: 'channel', row: ([channel]) => ({ channel }) },
  language: { kind: 'language', row: ([language]) => ({ language }) },
  metric: { kind: 'metric', row: ([metric]) => ({ metric }) },
  band: { kind: 'band', row: ([band]) => ({ band }) },
  score: { kind: 'points', row: ([, score]) => ({ score: Number(score) }) },
  agent_id: { kind: 'agent_id', row: ([agent_id]) => ({ agent_id }) },
  tag: { kind: 'tag', row: ([tag]) => ({ tags: [tag] }) },
  quality_flag: { kind: 'quality_flag', row: ([flag]) => ({ quality_flags: [flag] }) },
}
const NUMBERS = new Set(['nps', 'csat', 'ces', 'rating'])
const CHOICES = new Set(['single', 'dropdown', 'multi', 'picture'])
const ANSWER_OPERATORS = new Set(['eq', 'ne', 'one_of', 'not_one_of', 'gt', 'gte', 'lt', 'lte', 'between'])
const POSITIVE: Partial<Record<FilterTest['op'], FilterTest['op']>> = {
  ne: 'eq',
  not_one_of: 'one_of',
  is_not_set: 'is_set',
}

/** What the facts must be asked for to decide a filter: beginnings of cells. Null if facts cannot decide it. */
export function prefixesOf(filter: Filter): string[] | null {
  const prefixes: string[] = []
  for (const test of testsOf(filter)) {
    const question = questionOf(test)
    const kind = FIELDS[test.field]?.kind
    if (question === null && kind === undefined) return null
    if (question !== null && !ANSWER_OPERATORS.has(test.op)) return null
    if (question === null) prefixes.push(startOf(String(kind)), startOf('many', String(kind)))
    else prefixes.push(startOf('answer', question), startOf('spoken', question))
  }
  return [...new Set(prefixes)]
}

/** A filter on facts, given the cells with those prefixes. Null if they show that it needs the responses. */
export function factCondition(filter: Filter, cells: string[], now: Date): FactCondition | null {
  const known = cells.map((cell) => ({ cell, parts: JSON.parse(cell) as Parts }))
  const of = (kind: string, name?: string) =>
    known.filter(({ parts }) => parts[0] === kind && (name === undefined || parts[1] === name))
  const tests: string[][] = []
  const bitsOf = (node: FilterNode): RawBuilder<unknown> | null => {
    if ('not' in node) return wrapped(bitsOf(node.not))
    if ('field' in node) {
      const passing = passingOf(node)
      if (!passing) return null
      tests.push(passing)
      const bits = sql`coalesce(${sql.ref(`t${tests.length - 1}`)}, ~w.holds)`
      return POSITIVE[node.op] ? sql`~${bits}` : bits
    }
    const inner = ('all' in node ? node.all : node.any).map(bitsOf)
    const some = inner.filter((bits) => bits !== null)
    if (some.length < inner.length) return null
    if (some.length === 0) return 'all' in node ? sql`w.holds` : sql`~w.holds`
    return sql`(${sql.join(some, 'all' in node ? sql` & ` : sql` | `)})`
  }
  const passingOf = (test: FilterTest): string[] | null => {
    const positive = { ...test, op: POSITIVE[test.op] ?? test.op }
    const passes = (row: object) => matches('responses', { all: [positive] }, { ...BLANK, ...row }, now)
    const question = questionOf(test)
    if (question === null) {
      const field = FIELDS[test.field]
      if (!field || of('many', field.kind).length > 0) return null
      return of(field.kind).flatMap(({ cell, parts }) => (passes(field.row(parts.slice(1))) ? [cell] : []))
    }
    const answers = of('answer', question)
    // Words that were typed beside a choice are no facts.
    if (of('spoken', question).length > 0 || !answers.every(({ parts: [, , type = ''] }) => isPlain(type))) return null
    return answers.flatMap(({ cell, parts: [, , type, , text] }) => {
      const value = NUMBERS.has(String(type)) ? Number(text) : text
      return passes({ answers: [{ question_id: question, type, value }] }) ? [cell] : []
    })
  }
  const bits = bitsOf(filter)
  return bits && { tests, bits }
}

const BLANK: Record<string, unknown> = { ...blankResponse(new Date(0), {} as ResponseRow), state: null }

function wrapped(bits: RawBuilder<unknown> | null): RawBuilder<unknown> | null {
  return bits && sql`~(${bits})`
}

function questionOf({ field }: FilterTest): string | null {
  return field.startsWith('answer.') ? field.slice('answer.'.length) : null
}

function isPlain(type: string | null): boolean {
  return type !== null && (NUMBERS.has(type) || CHOICES.has(type))
}

/** How the text of a JSON array begins in PostgreSQL, after its last name. */
function startOf(...parts: string[]): string {
  return `["${parts.join('", "')}"`
}
