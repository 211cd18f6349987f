import type { LeadCapture, SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { holds } from '../../../survey-engine/logic/condition.ts'
import { evaluate } from '../../../survey-engine/logic/evaluation.ts'
import { lookupIn } from '../../../survey-engine/logic/lookup.ts'
import { joinAnswers } from '../../../survey-engine/logic/stored-answers.ts'
import { localize } from '../../../survey-engine/model/text.ts'
import type { ResponseRow } from '../../answers/rows/response.entity.ts'

export interface Caught {
  questionId: string
  /** The contact fields that the respondent filled in. */
  fields: Record<string, string>
  /** Whether the survey asked for consent and got it. */
  hasConsented: boolean
  /** The question that they agreed to. */
  consentText: string | null
}

/** The lead in a completed response. Null without a contact, without the consent, or if the condition fails. */
export function leadIn(
  definition: SurveyDefinition,
  { contact, consent, when }: LeadCapture,
  response: Pick<ResponseRow, 'answers' | 'text' | 'custom_data' | 'language' | 'path'>,
): Caught | null {
  const fields = response.text.find(({ question_id }) => question_id === contact)?.value
  if (typeof fields !== 'object') return null
  const hasConsented =
    consent !== undefined &&
    response.answers.some(({ question_id, value }) => question_id === consent && value === true)
  if (consent !== undefined && !hasConsented) return null
  if (when && !isWhen(definition, when, response)) return null
  const question = definition.questions.find(({ id }) => id === consent)
  return {
    questionId: contact,
    fields,
    hasConsented,
    consentText: question ? localize(question.title, response.language, definition.default_language) : null,
  }
}

function isWhen(
  definition: SurveyDefinition,
  when: NonNullable<LeadCapture['when']>,
  {
    answers,
    text,
    custom_data,
    language,
    path,
  }: Pick<ResponseRow, 'answers' | 'text' | 'custom_data' | 'language' | 'path'>,
): boolean {
  const values = joinAnswers(definition, answers, text)
  const { variables } = evaluate(definition, { answers: values, custom_data, completed: true, language, seen: path })
  return holds(when, lookupIn(definition, values, custom_data, variables))
}
