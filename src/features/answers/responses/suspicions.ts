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

/** Signs that our own page sends with a submission, besides the answers. */
export interface PageSigns {
  /** The form carries a start token that this server did not make. */
  startIsForged: boolean
  /** A field that people cannot see was filled in. */
  fellForTrap: boolean
}

/**
 * Reasons to take a submission of our page for a program's. It is quarantined, never refused. `trap_filled`: a hidden
 * field has text. `forged_start`: its start token is not ours. `too_fast`: at least 3 answers in under 200 ms each.
 */
export function suspicions(signs: PageSigns, answers: number, durationMs: number | null): string[] {
  const hasty = durationMs !== null && answers >= FEWEST_ANSWERS && durationMs < answers * HASTY_MS_PER_ANSWER
  return [
    ...(signs.fellForTrap ? ['trap_filled'] : []),
    ...(signs.startIsForged ? ['forged_start'] : []),
    ...(hasty ? ['too_fast'] : []),
  ]
}

/** The reason to hold a response back that came without the proof of work of its survey. */
export const NO_PROOF = 'no_proof'

/** Flags that an earlier submission of the same response gave it, and that stay. */
export function earlierFlags(flags: readonly string[]): string[] {
  return flags.filter((flag) => SUSPICIONS.includes(flag))
}

const HASTY_MS_PER_ANSWER = 200
const SUSPICIONS = ['trap_filled', 'forged_start', 'too_fast', NO_PROOF]
