import type { AnswerValues, CustomData, SurveyDefinition, Variables } from './definition.ts'
import { operandOf } from './condition.ts'
import type { Lookup } from './condition.ts'
import { own } from './record.ts'

/** Finds what a condition names among answers, custom data and variables, as these stand at each call. */
export function lookupIn(definition: SurveyDefinition, values: AnswerValues, customData: CustomData, variables: Variables): Lookup {
  const questions = new Map(definition.questions.map((question) => [question.id, question]))
  return (leaf) => {
    if ('variable' in leaf) return own(variables, leaf.variable)
    if ('custom' in leaf) {
      const custom = own(customData, leaf.custom)
      return custom === '' ? undefined : custom
    }
    const question = questions.get(leaf.question)
    const value = own(values, leaf.question)
    return question && value !== undefined ? operandOf(question, value) : undefined
  }
}
