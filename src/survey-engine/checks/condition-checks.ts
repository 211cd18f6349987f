import type { Condition, ConditionLeaf, ConditionValue, Operator, Question, Issues } from '../model/definition.ts'
import { leavesOf } from '../logic/condition.ts'
import { isCalendarDate } from '../model/formats.ts'
import { checkTogether, impossibleTest } from './impossible-tests.ts'
import type { Names } from '../model/names.ts'
import type { Comparison } from '../types/behaviour.ts'
import { PRESENCE } from '../types/families/comparisons.ts'
import { behaviourOf } from '../types/registry.ts'

/**
 * Reports comparisons that cannot work: an operator or value that does not fit the question, an unknown custom field
 * or variable, a test that no answer passes, and a question later than `latest`, the last place whose answer is known
 * when the condition is tried.
 */
export function checkCondition(
  issues: Issues,
  condition: Condition,
  path: string,
  names: Names,
  latest = Infinity,
): void {
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
      issues.add(
        `${at}.op`,
        `Use an operator that fits a question of type ${question.type}: ${operatorList(question)}.`,
      )
      continue
    }
    const problem =
      valueProblem(leaf, question) ?? (question && !PRESENCE.includes(leaf.op) ? impossibleTest(question, leaf) : null)
    if (problem !== null) issues.add(`${at}.value`, problem)
  }
  checkTogether(issues, condition, path, names)
}

export function operatorsOf(question: Question): readonly Operator[] {
  return comparisonOf(question).operators
}

function comparisonOf(question: Question): Comparison {
  return behaviourOf(question).comparison(question)
}

function operatorList(question: Question): string {
  return operatorsOf(question).join(', ') || 'none, it takes no answer'
}

function valueProblem({ op, value }: ConditionLeaf, question: Question | undefined): string | null {
  if (PRESENCE.includes(op)) return null
  const shape = shapeProblem(op, value, question)
  if (shape !== null || value === undefined) return shape
  const members = typeof value === 'object' ? value : [value]
  if ((op === 'before' || op === 'after') && !question && !members.every((member) => isCalendarDate(String(member))))
    return 'Compare with a date such as 2026-11-22.'
  return question ? comparisonOf(question).misfit(members, question) : null
}

function shapeProblem(op: Operator, value: ConditionValue | undefined, question: Question | undefined): string | null {
  if (value === undefined) return 'Add a value to compare with.'
  if (op === 'between') {
    const [low, high, more] = typeof value === 'object' ? value : []
    if (low === undefined || high === undefined || more !== undefined)
      return 'Give an array of two: the lowest and the highest value.'
    const swapped = typeof low === 'number' && typeof high === 'number' ? low > high : String(low) > String(high)
    return swapped ? 'Put the lowest before the highest.' : null
  }
  if (op === 'one_of' || op === 'all_of') {
    return typeof value === 'object' && value.length > 0 ? null : 'Give an array of at least one value.'
  }
  const comparesSets =
    (op === 'eq' || op === 'ne') && question !== undefined && comparisonOf(question).comparesSets === true
  return typeof value !== 'object' || comparesSets ? null : 'Give one value, not an array.'
}
