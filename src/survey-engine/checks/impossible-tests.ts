import type { AnswerValue, Condition, ConditionLeaf, Question, Issues } from '../model/definition.ts'
import { operandOf, satisfies } from '../logic/condition.ts'
import { LIMITS } from '../model/limits.ts'
import type { Names } from '../model/names.ts'
import { scoresIn } from '../types/families/scored.ts'
import { behaviourOf, scaleOf } from '../types/registry.ts'

/** Why no answer that the question allows passes the test, or null where some may. The test fits the question. */
export function impossibleTest(question: Question, leaf: ConditionLeaf): string | null {
  const { impossible } = behaviourOf(question).comparison(question)
  return impossible?.(leaf, question, (operand) => satisfies(operand, leaf)) ?? null
}

/** Reports the tests of one score question that no score passes together, at the test that rules out the last score. */
export function checkTogether(issues: Issues, condition: Condition, path: string, names: Names, depth = 0): void {
  if (depth > LIMITS.conditionDepth || 'op' in condition) return
  if ('any' in condition) {
    for (const [index, member] of condition.any.entries())
      checkTogether(issues, member, `${path}.any.${index}`, names, depth + 1)
    return
  }
  const left = new Map<string, (AnswerValue | undefined)[]>()
  for (const { member, path: at, depth: level } of conjunctsOf(condition, path, depth)) {
    if (!('op' in member)) {
      checkTogether(issues, member, at, names, level)
      continue
    }
    const question = 'question' in member ? names.questions[names.positions.get(member.question) ?? -1] : undefined
    const scale = question ? scaleOf(question) : null
    if (!question || !scale) continue
    const scores = scoresIn(scale)
    const before = left.get(question.id) ?? [...scores, undefined]
    const passing = before.filter((score) =>
      satisfies(score === undefined ? undefined : operandOf(question, score), member),
    )
    const first = before.length === scores.length + 1
    if (passing.length === 0 && before.length > 0 && !first)
      issues.add(`${at}.value`, 'No score passes both this test and the tests before it; change one of them.')
    left.set(question.id, passing)
  }
}

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
