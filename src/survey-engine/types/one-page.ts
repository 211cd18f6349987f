import type { SurveyDefinition } from '../model/definition.ts'
import { controlsOf } from './registry.ts'

const MOST_QUESTIONS = 200
// Drawing a control takes up to 10 µs.
export const MOST_CONTROLS = 2_500

/** Whether one page can hold every question, so that a script can show them one by one. */
export function fitsOnePage(definition: SurveyDefinition): boolean {
  const controls = definition.questions.reduce((sum, question) => sum + controlsOf(question), 0)
  return controls <= MOST_CONTROLS && definition.questions.length <= MOST_QUESTIONS
}
