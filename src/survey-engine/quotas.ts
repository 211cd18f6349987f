import type { AnswerValues, CustomData, SurveyDefinition, Variables } from './definition.ts'
import { holds } from './condition.ts'
import { lookupIn } from './lookup.ts'

/** The ids of the quotas that a response counts against, in the survey's order. */
export function matchingQuotas(definition: SurveyDefinition, values: AnswerValues, customData: CustomData, variables: Variables): string[] {
  const lookup = lookupIn(definition, values, customData, variables)
  return definition.quotas.filter(({ when }) => when === undefined || holds(when, lookup)).map(({ id }) => id)
}
