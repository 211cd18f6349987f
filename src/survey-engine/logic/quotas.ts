import type { AnswerValues, CustomData, SurveyDefinition, Variables } from '../model/definition.ts'
import { holds, judge, satisfies } from './condition.ts'
import type { Evaluation } from './evaluation.ts'
import { lookupIn } from './lookup.ts'
import { questionPositions } from '../model/names.ts'

/** The ids of the quotas that a response counts against, in the survey's order. */
export function matchingQuotas(
  definition: SurveyDefinition,
  values: AnswerValues,
  customData: CustomData,
  variables: Variables,
): string[] {
  const lookup = lookupIn(definition, values, customData, variables)
  return applied(definition)
    .filter(({ when }) => when === undefined || holds(when, lookup))
    .map(({ id }) => id)
}

/** The quotas that an unfinished response will count against, whatever its remaining answers are. */
export function settledQuotas(
  definition: SurveyDefinition,
  evaluation: Pick<Evaluation, 'values' | 'custom_data' | 'variables' | 'next'>,
): string[] {
  const { values, custom_data, variables, next } = evaluation
  const positions = questionPositions(definition)
  const open = next === null ? Infinity : (positions.get(next) ?? Infinity)
  const lookup = lookupIn(definition, values, custom_data, variables)
  const settled = applied(definition).filter(({ when }) => {
    if (when === undefined) return true
    return judge(when, (leaf) => {
      // A rule may still change a variable.
      if ('variable' in leaf) return undefined
      // An answer further on may still be left out by one before it.
      const known = !('question' in leaf) || (positions.get(leaf.question) ?? -1) < open
      return known ? satisfies(lookup(leaf), leaf, lookup.texts) : undefined
    })
  })
  return settled.map(({ id }) => id)
}

// In an anonymous survey that was published with a quota on answers, a full one would tell what a person said.
function applied({ quotas, privacy }: SurveyDefinition): SurveyDefinition['quotas'] {
  return privacy === 'anonymous' ? quotas.filter(({ when }) => when === undefined) : quotas
}
