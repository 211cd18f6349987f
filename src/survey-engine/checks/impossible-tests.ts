import type { AnswerValue, Condition, ConditionLeaf, Question } from '../model/definition.ts'
import { operandOf, satisfies, type Operand } from '../logic/condition.ts'
import type { Issues } from '../model/issues.ts'
import { LIMITS } from '../model/limits.ts'
import type { Names } from '../model/names.ts'
import { choicesOf, scaleOf, takesMany } from '../model/questions.ts'

/** Why no answer that the question allows passes the test, or null where some may. The test fits the question. */
export function impossibleTest(question: Question, leaf: ConditionLeaf): string | null {
  const holds = (operand: Operand) => satisfies(operand, leaf.op, leaf.value)
  const scale = scaleOf(question)
  if (scale) return scoresOf(question).some(holds) ? null : `No answer passes this test; answers are whole numbers from ${scale.min} to ${scale.max}.`
  if (question.type === 'date') {
    const { min = FIRST_DAY, max = LAST_DAY } = question
    const days = [min, max, ...membersOf(leaf).map(String)].filter((day) => day >= min && day <= max)
    return days.some(holds) ? null : `No answer passes this test; answers are dates from ${min} to ${max}.`
  }
  if (takesMany(question)) return impossibleSet(question, leaf)
  if (question.type === 'matrix' && leaf.op === 'all_of') {
    const rows = new Map<string, unknown>()
    for (const cell of membersOf(leaf)) {
      const row = String(cell).slice(0, String(cell).indexOf(':'))
      if (rows.has(row) && rows.get(row) !== cell) return `No answer passes this test; the row ${row} has one column.`
      rows.set(row, cell)
    }
  }
  return null
}

/** Reports the tests of one score question that no score passes together, at the test that rules out the last score. */
export function checkTogether(issues: Issues, condition: Condition, path: string, names: Names, depth = 0): void {
  if (depth > LIMITS.conditionDepth || 'op' in condition) return
  if ('any' in condition) {
    for (const [index, member] of condition.any.entries()) checkTogether(issues, member, `${path}.any.${index}`, names, depth + 1)
    return
  }
  const left = new Map<string, (AnswerValue | undefined)[]>()
  for (const { member, path: at, depth: level } of conjunctsOf(condition, path, depth)) {
    if (!('op' in member)) {
      checkTogether(issues, member, at, names, level)
      continue
    }
    const question = 'question' in member ? names.questions[names.positions.get(member.question) ?? -1] : undefined
    if (!question || !scaleOf(question)) continue
    const before = left.get(question.id) ?? [...scoresOf(question), undefined]
    const passing = before.filter((score) => satisfies(score === undefined ? undefined : operandOf(question, score), member.op, member.value))
    const first = before.length === scoresOf(question).length + 1
    if (passing.length === 0 && before.length > 0 && !first)
      issues.add(`${at}.value`, 'No score passes this test and those before it; all of them have to hold.')
    left.set(question.id, passing)
  }
}

const FIRST_DAY = '0001-01-01'
const LAST_DAY = '9999-12-31'

interface Conjunct {
  member: Condition
  path: string
  depth: number
}

/** The members of nested `all`s as one list. */
function* conjunctsOf(condition: Condition, path: string, depth: number): Generator<Conjunct> {
  if (!('all' in condition)) yield { member: condition, path, depth }
  else if (depth <= LIMITS.conditionDepth) {
    for (const [index, member] of condition.all.entries()) yield* conjunctsOf(member, `${path}.all.${index}`, depth + 1)
  }
}

function scoresOf(question: Question): number[] {
  const { min, max } = scaleOf(question) ?? { min: 1, max: 0 }
  return Array.from({ length: max - min + 1 }, (_, index) => min + index)
}

function impossibleSet(question: Question, { op, value }: ConditionLeaf): string | null {
  const { min_choices: least = 0, max_choices: most = choicesOf(question).length + 1 } = question.type === 'multi' ? question : {}
  const size = new Set(typeof value === 'object' ? value.map(String) : [value]).size
  if ((op === 'eq' || op === 'all_of' || op === 'contains') && size > most) return `No answer passes this test; at most ${most} may be chosen.`
  return op === 'eq' && size < least ? `No answer passes this test; at least ${least} have to be chosen.` : null
}

function membersOf({ value }: ConditionLeaf): (string | number | boolean)[] {
  if (value === undefined) return []
  return typeof value === 'object' ? value : [value]
}
