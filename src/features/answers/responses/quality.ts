import type { AnswerValues, SurveyDefinition } from '../../../survey-engine/model/definition.ts'

const FAST_MS_PER_ANSWER = 1_000
const FEWEST_ANSWERS = 3
const FEWEST_ROWS = 4

/**
 * Signs of answers given without reading. They are shown and decide nothing. `fast`: at least 3 answers in under 1 s
 * each. `straightlining`: the same column in every row of a matrix with 4 rows or more.
 * @param durationMs null if the time was not measured.
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
