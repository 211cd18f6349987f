import type { SurveyDefinition } from './definition.ts'

/** The place of each question id in the survey, from 0. If an id is repeated, the first question counts. */
export function questionPositions(definition: SurveyDefinition): Map<string, number> {
  const positions = new Map<string, number>()
  for (const [index, { id }] of definition.questions.entries()) {
    if (!positions.has(id)) positions.set(id, index)
  }
  return positions
}
