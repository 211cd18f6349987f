import type { AnswerValues, SurveyDefinition } from '../../../survey-engine/model/definition.ts'

const FAST_MS_PER_ANSWER = 1_000
const FEWEST_ANSWERS = 3
const FEWEST_ROWS = 4

/**
 * Signs that an answer was given without reading; they are shown, and decide nothing.
 * `fast`: at least 3 answers at under 1 s each. `straightlining`: the same column in every row of a matrix of 4 rows or more.
 * @param durationMs null where the time was not measured.
 */
export function qualityFlags(definition: SurveyDefinition, values: AnswerValues, durationMs: number | null): string[] {
  const answers = Object.keys(values).length
  const fast = durationMs !== null && answers >= FEWEST_ANSWERS && durationMs < answers * FAST_MS_PER_ANSWER
  const straight = definition.questions.some((question) => {
    const value = question.type === 'matrix' ? values[question.id] : undefined
    if (typeof value !== 'object' || Array.isArray(value)) return false
    const columns = Object.values(value)
    return columns.length >= FEWEST_ROWS && new Set(columns).size === 1
  })
  return [...(fast ? ['fast'] : []), ...(straight ? ['straightlining'] : [])]
}
