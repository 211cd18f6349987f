import type { Condition, ConditionLeaf, ConditionValue, Operator, Question } from '../model/definition.ts'
import { leavesOf } from '../logic/condition.ts'
import { isCalendarDate, parseNumber } from '../model/formats.ts'
import { checkTogether, impossibleTest } from './impossible-tests.ts'
import type { Issues } from '../model/issues.ts'
import type { Names } from '../model/names.ts'
import { allowsOther, choicesOf, scaleOf, takesMany } from '../model/questions.ts'

/**
 * Reports comparisons that cannot work: an operator or value that does not fit the question, an unknown custom field
 * or variable, a test that no answer passes, and a question later than `latest`, the last place whose answer is known
 * when the condition is tried.
 */
export function checkCondition(issues: Issues, condition: Condition, path: string, names: Names, latest = Infinity): void {
  for (const { leaf, path: at } of leavesOf(condition, path)) {
    if ('custom' in leaf && !names.customFields.has(leaf.custom)) {
      issues.add(`${at}.custom`, 'Declare this field in custom_fields.')
    }
    if ('variable' in leaf && !names.variables.has(leaf.variable)) {
      issues.add(`${at}.variable`, 'Declare this variable, or calculate it in a rule.')
    }
    const place = 'question' in leaf ? names.positions.get(leaf.question) : undefined
    if (place !== undefined && place > latest) {
      issues.add(`${at}.question`, 'Name a question that is answered before the rule applies, or move the rule.')
    }
    const question = place === undefined ? undefined : names.questions[place]
    if (question && !operatorsOf(question).includes(leaf.op)) {
      issues.add(`${at}.op`, `Use an operator that fits a question of type ${question.type}: ${operatorList(question)}.`)
      continue
    }
    const problem = valueProblem(leaf, question) ?? (question && !PRESENCE.includes(leaf.op) ? impossibleTest(question, leaf) : null)
    if (problem !== null) issues.add(`${at}.value`, problem)
  }
  checkTogether(issues, condition, path, names)
}

export function operatorsOf(question: Question): readonly Operator[] {
  if (scaleOf(question)) return [...ORDERED, 'one_of', ...PRESENCE]
  switch (question.type) {
    case 'single':
    case 'dropdown':
    case 'multi':
    case 'picture':
      return takesMany(question) ? ['eq', 'ne', ...MEMBERSHIP, ...PRESENCE] : ['eq', 'ne', 'one_of', ...PRESENCE]
    case 'ranking':
      return ['starts_with', 'ends_with', ...PRESENCE]
    case 'matrix':
      return [...MEMBERSHIP, ...PRESENCE]
    case 'open_text':
      return question.format === 'number' ? [...ORDERED, 'one_of', ...PRESENCE] : [...WORDS, ...PRESENCE]
    case 'date':
      return [...ORDERED, 'before', 'after', 'one_of', ...PRESENCE]
    case 'consent':
      return ['eq', 'ne', ...PRESENCE]
    case 'contact':
      return PRESENCE
    default:
      return []
  }
}

const PRESENCE: readonly Operator[] = ['is_answered', 'is_skipped']
const MEMBERSHIP: readonly Operator[] = ['contains', 'one_of', 'all_of']
const ORDERED: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'between']
const WORDS: readonly Operator[] = ['eq', 'ne', 'contains', 'starts_with', 'ends_with', 'one_of']

function operatorList(question: Question): string {
  return operatorsOf(question).join(', ') || 'none, it takes no answer'
}

function valueProblem({ op, value }: ConditionLeaf, question: Question | undefined): string | null {
  if (PRESENCE.includes(op)) return null
  const shape = shapeProblem(op, value, question)
  if (shape !== null || value === undefined) return shape
  const members = typeof value === 'object' ? value : [value]
  if ((op === 'before' || op === 'after') && !question && !members.every(isDate)) return 'Compare with a date such as 2026-11-22.'
  return question ? memberProblem(question, members) : null
}

function shapeProblem(op: Operator, value: ConditionValue | undefined, question: Question | undefined): string | null {
  if (value === undefined) return 'Say what to compare with.'
  if (op === 'between') {
    const [low, high, more] = typeof value === 'object' ? value : []
    if (low === undefined || high === undefined || more !== undefined) return 'Give an array of the lowest and the highest.'
    const swapped = typeof low === 'number' && typeof high === 'number' ? low > high : String(low) > String(high)
    return swapped ? 'Put the lowest before the highest.' : null
  }
  if (op === 'one_of' || op === 'all_of') {
    return typeof value === 'object' && value.length > 0 ? null : 'Give an array of at least one value.'
  }
  const comparesSets = (op === 'eq' || op === 'ne') && question !== undefined && takesMany(question)
  return typeof value !== 'object' || comparesSets ? null : 'Give one value, not an array.'
}

function memberProblem(question: Question, members: (string | number | boolean)[]): string | null {
  if (scaleOf(question) || (question.type === 'open_text' && question.format === 'number')) {
    return members.every(isNumber) ? null : 'Compare with a number.'
  }
  if (question.type === 'date') return members.every(isDate) ? null : 'Compare with a date such as 2026-11-22.'
  if (question.type === 'consent') return members.every((value) => typeof value === 'boolean') ? null : 'Compare with true or false.'
  if (question.type === 'matrix') {
    const [rows, columns] = [idsOf(question.rows), idsOf(question.columns)]
    const isCell = ([row = '', column = '', ...more]: string[]) => rows.has(row) && columns.has(column) && more.length === 0
    return members.every((value) => isCell(String(value).split(':', 3))) ? null : 'Compare with a row and column id, as in row:column.'
  }
  if (!('choices' in question)) return null
  const ids = idsOf(choicesOf(question))
  const fits = (value: string) => ids.has(value) || (value === 'other' && allowsOther(question))
  return members.every((value) => fits(String(value))) ? null : 'Compare with choice ids of the question.'
}

// Collected once for each list: a survey of 1 MiB compares with its choices thousands of times.
const collected = new WeakMap<{ id: string }[], ReadonlySet<string>>()

function idsOf(items: { id: string }[]): ReadonlySet<string> {
  const ids = collected.get(items) ?? new Set(items.map(({ id }) => id))
  collected.set(items, ids)
  return ids
}

function isNumber(value: string | number | boolean): boolean {
  return typeof value === 'number' || (typeof value === 'string' && parseNumber(value) !== null)
}

function isDate(value: string | number | boolean): boolean {
  return typeof value === 'string' && isCalendarDate(value)
}
