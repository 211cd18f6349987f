import type { Question, SurveyDefinition } from './definition.ts'

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

/** The place of each question id in the survey, from 0. If an id is repeated, the first question counts. */
export function questionPositions(definition: SurveyDefinition): Map<string, number> {
  const positions = new Map<string, number>()
  for (const [index, { id }] of definition.questions.entries()) {
    if (!positions.has(id)) positions.set(id, index)
  }
  return positions
}
