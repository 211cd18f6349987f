import type {
  AnswerValue,
  AnswerValues,
  ConditionLeaf,
  CustomData,
  SurveyDefinition,
  Variables,
} from '../model/definition.ts'
import { operandOf, preparingOnce } from './condition.ts'
import type { Operand } from '../types/behaviour.ts'
import type { Lookup } from './condition.ts'
import { own } from '../model/record.ts'

/** Finds what a condition names among answers, custom data and variables, as these stand at each call. */
export function lookupIn(
  definition: SurveyDefinition,
  values: AnswerValues,
  customData: CustomData,
  variables: Variables,
): Lookup {
  const questions = new Map(definition.questions.map((question) => [question.id, question]))
  const operands = new Map<string, { value: AnswerValue; operand: Operand }>()
  const lookup = (leaf: ConditionLeaf) => {
    if ('variable' in leaf) return own(variables, leaf.variable)
    if ('custom' in leaf) {
      const custom = own(customData, leaf.custom)
      return custom === '' ? undefined : custom
    }
    const question = questions.get(leaf.question)
    const value = own(values, leaf.question)
    if (!question || value === undefined) return undefined
    const known = operands.get(leaf.question)
    if (known?.value === value) return known.operand
    const operand = operandOf(question, value)
    operands.set(leaf.question, { value, operand })
    return operand
  }
  return Object.assign(lookup, { texts: preparingOnce() })
}
