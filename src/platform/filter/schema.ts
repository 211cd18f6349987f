import { z } from 'zod'
import { fieldNames, fieldOf, operatorsOf, type EntityName, type Field } from './entity.ts'
import {
  LONGEST_TEXT,
  LONGEST_WORDS,
  MOST_LETTERS,
  MOST_LEVELS,
  MOST_NAMED,
  MOST_TESTS,
  MOST_VALUES,
  type Filter,
  type FilterTest,
  type Operator,
} from './grammar.ts'
import { composeWithin } from '../text/composed.ts'
import { howToWriteTime } from '../instant.ts'
import { spanOf } from './moments.ts'

const ARRAY_OPERATORS: readonly Operator[] = ['one_of', 'not_one_of']
const WITHIN: readonly Operator[] = ['contains', 'starts_with', 'search']
const ORDER_OPERATORS: readonly Operator[] = ['gt', 'gte', 'lt', 'lte', 'between']
const MOST_DAYS = 36_500
const LONGEST_KEPT = 100_000
const TOO_LONG = 'Use at most 100,000 characters of JSON. A segment or a topic can say the same in few words.'
const JOINS = ['all', 'any', 'not'] as const
const SHAPE = 'Use {"all": […]}, {"any": […]} or {"not": …} of {field, op, value}.'

/** The counts of a filter so far. */
interface State {
  tests: number
  groups: number
  letters: number
  named: number
  /** Somebody may store it, so that others read it. */
  mayBeKept: boolean
}

type Refuse = (path: Array<string | number>, message: string) => void

/** A filter as a JSON object in a body. @public */
export function filterBody(entity: EntityName) {
  return z
    .record(z.string(), z.unknown(), { error: SHAPE })
    .transform((value, context) => read(entity, value, context, true))
    .describe(describe(entity))
    .meta({ example: { all: [] } })
}

/** A filter as JSON in a query parameter. */
export function filterParameter(entity: EntityName) {
  return z
    .string()
    .max(10_000)
    .transform((text, context) => read(entity, parseJson(text), context, false))
    .describe(describe(entity))
}

/** The part of a description that the reference replaces by the fields, which are known once all features are. */
export const FIELDS_MARK = /%fields:(\w+)%/g

function describe(entity: EntityName): string {
  return (
    'A filter: `{"all"|"any": [node…]}` or `{"not": node}`; a node is a filter or `{field, op, value}`. At most ' +
    `${MOST_LEVELS} levels and ${MOST_TESTS} tests. Fields and their operators: %fields:${entity}%.`
  )
}

function read(entity: EntityName, value: unknown, context: z.RefinementCtx, mayBeKept: boolean): Filter {
  let isSound = true
  // Lists show kept filters, up to 500 of them at once.
  if (mayBeKept && JSON.stringify(value).length > LONGEST_KEPT) {
    context.addIssue({ code: 'custom', message: TOO_LONG })
    return z.NEVER
  }
  const state = { tests: 0, groups: 0, letters: 0, named: 0, mayBeKept }
  checkFilter(entity, value, [], 1, state, (path, message) => {
    isSound = false
    context.addIssue({ code: 'custom', path, message })
  })
  return isSound ? (value as Filter) : z.NEVER
}

function checkFilter(
  entity: EntityName,
  value: unknown,
  path: Array<string | number>,
  level: number,
  state: State,
  refuse: Refuse,
): void {
  const [join, ...others] = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || others.length > 0 || !(JOINS as readonly (string | undefined)[]).includes(join))
    return refuse(path, SHAPE)
  if (level > MOST_LEVELS) return refuse(path, `Use at most ${MOST_LEVELS} levels of all, any and not.`)
  state.groups += 1
  if (state.groups === MOST_TESTS + 1) refuse(path, `Use at most ${MOST_TESTS} groups of all, any and not.`)
  if (state.groups > MOST_TESTS) return
  const inner = value[join as string]
  if (join === 'not') return checkNode(entity, inner, [...path, 'not'], level, state, refuse)
  if (!Array.isArray(inner)) return refuse([...path, join as string], 'Use an array.')
  if (inner.length > MOST_TESTS) return refuse([...path, join as string], `Use at most ${MOST_TESTS} tests.`)
  inner.forEach((node, index) => checkNode(entity, node, [...path, join as string, index], level, state, refuse))
}

function checkNode(
  entity: EntityName,
  node: unknown,
  path: Array<string | number>,
  level: number,
  state: State,
  refuse: Refuse,
): void {
  if (isObject(node) && !('field' in node) && !('op' in node))
    return checkFilter(entity, node, path, level + 1, state, refuse)
  state.tests += 1
  if (state.tests === MOST_TESTS + 1) return refuse(path, `Use at most ${MOST_TESTS} tests.`)
  if (state.tests > MOST_TESTS) return
  if (!isObject(node)) return refuse(path, 'Use {field, op, value}.')
  const { field: name, op, value, ...rest } = node
  const at = (key: string) => [...path, key]
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) return refuse(path, 'Use only field, op and value.')
  const field = typeof name === 'string' ? fieldOf(entity, name) : undefined
  if (!field) return refuse(at('field'), `Use one of these fields: ${fieldNames(entity).join(', ')}.`)
  if (field.kind === 'own' && field.isPassing && state.mayBeKept)
    return refuse(
      at('field'),
      'Use this field only in the `filter` parameter of a list. A filter that is kept must not name a person.',
    )
  const ops = operatorsOf(field)
  if (!ops.includes(op as Operator))
    return refuse(at('op'), `For the field ${String(name).split('.', 1)[0]} use one of ${ops.join(', ')}.`)
  const problem = checkValue(field, { field: name as string, op: op as Operator, value: value as never })
  if (problem) return refuse(at('value'), problem)
  if (field.kind === 'own' && field.namesFilters) {
    const before = state.named
    state.named += Array.isArray(value) ? value.length : 1
    if (before <= MOST_NAMED && state.named > MOST_NAMED)
      refuse(at('value'), `All tests of ${String(name)} together can have at most ${MOST_NAMED} values. Use fewer.`)
  }
  if (!WITHIN.includes(op as Operator)) return
  const { length } = String(value)
  const before = state.letters
  state.letters += length
  if (length > LONGEST_WORDS) refuse(at('value'), `Use at most ${LONGEST_WORDS} characters.`)
  else if (before <= MOST_LETTERS && state.letters > MOST_LETTERS)
    refuse(at('value'), `A filter can look for at most ${MOST_LETTERS} characters in all. Use fewer or shorter texts.`)
}

/** How to write the value, or nothing if it is right. */
function checkValue(field: Field, test: FilterTest): string | undefined {
  const { op, value } = test
  if (op === 'is_set' || op === 'is_not_set') return undefined
  if (value === undefined || value === null) return 'Add a value to compare with.'
  if (field.kind === 'own' && field.check) return field.check(test)
  if (op === 'within_days')
    return isNumber(value) && value > 0 && value <= MOST_DAYS ? undefined : `Use a number of days up to ${MOST_DAYS}.`
  if (op === 'between') {
    if (!Array.isArray(value) || value.length !== 2) return 'Use an array of two: the lowest and the highest value.'
    return typeof value[0] === typeof value[1] ? checkOrdered(field, value) : 'Use two numbers or two dates.'
  }
  if (ARRAY_OPERATORS.includes(op)) {
    if (!Array.isArray(value)) return 'Use an array.'
    if (value.length === 0 || value.length > MOST_VALUES) return `Use 1 to ${MOST_VALUES} values.`
    return checkScalars(field, value)
  }
  if (Array.isArray(value)) return 'Use one value.'
  return ORDER_OPERATORS.includes(op) ? checkOrdered(field, [value]) : checkScalars(field, [value], op)
}

function checkOrdered(field: Field, values: unknown[]): string | undefined {
  const areNumbers = values.every(isNumber)
  const areDates = values.every((value) => spanOf(value) !== undefined)
  if (field.kind === 'number') return areNumbers ? undefined : 'Use a number.'
  if (field.kind === 'date') return areDates ? undefined : howToWriteTime(values.find((value) => !spanOf(value)))
  return areNumbers || areDates ? undefined : 'Use a number, or a date such as 2026-11-22.'
}

function checkScalars(field: Field, values: unknown[], op?: Operator): string | undefined {
  for (const value of values) {
    if (typeof value === 'string' && value.length > LONGEST_TEXT) return `Use at most ${LONGEST_TEXT} characters.`
    if (typeof value === 'string' && value.includes('\0')) return 'Use text without the null character.'
    if (typeof value !== 'string' && typeof value !== 'boolean' && !isNumber(value))
      return 'Use text, a number, true or false, or for one_of an array of them.'
    if (field.kind === 'number' && !isNumber(value)) return 'Use a number.'
    if (field.kind === 'boolean' && typeof value !== 'boolean') return 'Use true or false.'
    if (field.kind === 'date' && !spanOf(value)) return howToWriteTime(value)
    if (field.kind !== 'own' && field.values && op !== 'starts_with' && op !== 'contains')
      if (!field.values.includes(value as string)) return `Use one of ${field.values.join(', ')}.`
  }
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return composeWithin(JSON.parse(text), { left: text.length })
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
