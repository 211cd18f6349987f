import { kindOf } from '../../../../survey-engine/types/registry.ts'
import { matches } from '../../../../platform/filter/evaluate.ts'
import { testsOf, type Filter, type FilterNode, type FilterTest } from '../../../../platform/filter/grammar.ts'
import { runInSlices } from '../../../../platform/loop/turns.ts'
import type { ResponseRow } from '../../rows/response.entity.ts'
import { blankResponse } from '../../rows/response-row.ts'
import { OPEN_STATES } from '../../rows/response-state.ts'

/** The fact that holds for each response. */
export const ALL = '["all"]'
/** Responses in one row of bits. Making a row takes the square of it. */
export const PART = 4_096

/** A filter as bits: each test holds where one of its cells does. */
export interface FactFilter {
  tests: string[][]
  bits: Bits
}

/** `test` is the index of a test. */
export type Bits = 'all' | 'none' | { test: number } | { not: Bits } | { and: Bits[] } | { or: Bits[] }

type Parts = Array<string | null>

interface Fact {
  kind: string
  /** Cells of which one must hold too. */
  within?: string[]
  /** A response of which nothing but this fact is known. */
  row(parts: Parts): Partial<Record<keyof ResponseRow, unknown>>
}

const FIELDS: Record<string, Fact> = {
  state: { kind: 'state', row: ([state]) => ({ state }) },
  channel: { kind: 'channel', row: ([channel]) => ({ channel }) },
  language: { kind: 'language', row: ([language]) => ({ language }) },
  metric: { kind: 'metric', row: ([metric]) => ({ metric }) },
  band: { kind: 'band', row: ([band]) => ({ band }) },
  score: { kind: 'points', row: ([, score]) => ({ score: Number(score) }) },
  agent_id: { kind: 'agent_id', row: ([agent_id]) => ({ agent_id }) },
  tag: { kind: 'tag', row: ([tag]) => ({ tags: [tag] }) },
  quality_flag: { kind: 'quality_flag', row: ([flag]) => ({ quality_flags: [flag] }) },
  reached: { kind: 'reached', row: ([question]) => ({ path: [question] }) },
  // The fact is the last question of any response.
  dropped_off: {
    kind: 'dropped',
    within: OPEN_STATES.map((state) => `${startOf('state', state)}]`),
    row: ([question]) => ({ state: 'started', path: [question] }),
  },
}
const ANSWER_OPERATORS = new Set(['eq', 'ne', 'one_of', 'not_one_of', 'gt', 'gte', 'lt', 'lte', 'between'])
const POSITIVE: Partial<Record<FilterTest['op'], FilterTest['op']>> = {
  ne: 'eq',
  not_one_of: 'one_of',
  is_not_set: 'is_set',
}

/** Beginnings of the cells that decide a filter. Null if facts cannot decide it. */
export function prefixesOf(filter: Filter): string[] | null {
  const prefixes: string[] = []
  for (const test of testsOf(filter)) {
    const named = namedBy(test)
    if (!named || (named.kind === 'answer' && !ANSWER_OPERATORS.has(test.op))) return null
    const begins = named.name === undefined ? [named.kind] : [named.kind, named.name]
    prefixes.push(
      startOf(...begins),
      named.kind === 'answer' ? startOf('spoken', ...begins.slice(1)) : startOf('many', ...begins),
    )
  }
  return [...new Set(prefixes)]
}

/** A filter on facts, given the cells with those prefixes. Null if they show that it needs the responses. */
export function factFilter(filter: Filter, cells: string[], now: Date): Promise<FactFilter | null> {
  return runInSlices(decide(filter, cells, now))
}

/** It yields after each cell, because a filter may have many tests of many values. */
function* decide(filter: Filter, cells: string[], now: Date): Generator<undefined, FactFilter | null, undefined> {
  const known: Array<{ cell: string; parts: Parts }> = []
  for (const cell of cells) {
    known.push({ cell, parts: JSON.parse(cell) as Parts })
    yield
  }
  const of = (kind: string, name?: string) =>
    known.filter(({ parts }) => parts[0] === kind && (name === undefined || parts[1] === name))
  const tests: string[][] = []
  function* bitsOf(node: FilterNode): Generator<undefined, Bits | null, undefined> {
    if ('field' in node) {
      const passing = yield* passingOf(node)
      if (!passing) return null
      const within = namedBy(node)?.within
      const test = { test: tests.push(passing) - 1 }
      const bits = within ? { and: [test, { test: tests.push(within) - 1 }] } : test
      return POSITIVE[node.op] ? { not: bits } : bits
    }
    if ('not' in node) {
      const bits = yield* bitsOf(node.not)
      return bits && { not: bits }
    }
    const nodes = 'all' in node ? node.all : node.any
    if (nodes.length === 0) return 'all' in node ? 'all' : 'none'
    const inner: Bits[] = []
    for (const each of nodes) {
      const bits = yield* bitsOf(each)
      if (!bits) return null
      inner.push(bits)
    }
    return 'all' in node ? { and: inner } : { or: inner }
  }
  function* passingOf(test: FilterTest): Generator<undefined, string[] | null, undefined> {
    const positive = { ...test, op: POSITIVE[test.op] ?? test.op }
    const passes = (row: object) => matches('responses', { all: [positive] }, { ...BLANK, ...row }, now)
    const named = namedBy(test)
    if (!named) return null
    const { kind, name } = named
    const cells = of(kind, name)
    // A field with many values in a day has no facts that day. Words that were typed beside a choice are none.
    const isUnknown =
      kind === 'answer'
        ? of('spoken', name).length > 0 || !cells.every(({ parts: [, , type = ''] }) => isPlain(type))
        : of('many', kind).some(({ parts }) => parts[2] === name)
    if (isUnknown) return null
    const passing: string[] = []
    for (const { cell, parts } of cells) {
      if (passes(named.row(parts.slice(1)))) passing.push(cell)
      yield
    }
    return passing
  }
  const bits = yield* bitsOf(filter)
  return bits && { tests, bits }
}

const BLANK: Record<string, unknown> = { ...blankResponse(new Date(0), {} as ResponseRow), state: null }

/** The facts about a field. */
function namedBy({ field }: FilterTest): (Fact & { name?: string }) | null {
  const [family = '', name = ''] = /^(answer|custom)\.(.*)$/s.exec(field)?.slice(1) ?? []
  if (family === 'answer') return { kind: 'answer', name, row: (parts) => ({ answers: [answerOf(parts)] }) }
  if (family === 'custom')
    return { kind: 'custom', name, row: ([, value]) => ({ custom_data: { [name]: JSON.parse(String(value)) } }) }
  return FIELDS[field] ?? null
}

function answerOf([question_id, type, , text]: Parts): object {
  return { question_id, type, value: kindOf(String(type)) === 'scale' ? Number(text) : text }
}

function isPlain(type: string | null): boolean {
  const kind = kindOf(String(type))
  return kind === 'scale' || kind === 'choice'
}

/** How the text of a JSON array begins in PostgreSQL, after its last name. */
export function startOf(...parts: string[]): string {
  return `["${parts.join('", "')}"`
}
