import type { Question, SurveyDefinition } from './definition.ts'
import { questionPositions } from './questions.ts'

/** The names that a survey's conditions and placeholders may use. */
export interface Names {
  questions: Question[]
  positions: ReadonlyMap<string, number>
  customFields: ReadonlySet<string>
  /** Declared variables, and those that a rule calculates. */
  variables: ReadonlySet<string>
}

export function namesIn(definition: SurveyDefinition): Names {
  const calculated = definition.logic.flatMap(({ then }) =>
    then.flatMap((action) => (action.action === 'calculate' ? [action.variable] : [])),
  )
  return {
    questions: definition.questions,
    positions: questionPositions(definition),
    customFields: new Set(definition.custom_fields),
    variables: new Set([...Object.keys(definition.variables ?? {}), ...calculated]),
  }
}
