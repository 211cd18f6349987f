import type { SurveyDefinition } from './definition.ts'

/** Question id → its place in the survey, from 0; of two questions with one id the first counts. */
export function questionPositions(definition: SurveyDefinition): Map<string, number> {
  const positions = new Map<string, number>()
  for (const [index, { id }] of definition.questions.entries()) {
    if (!positions.has(id)) positions.set(id, index)
  }
  return positions
}
