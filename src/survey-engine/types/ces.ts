import type { ScoreQuestion } from '../model/definition.ts'
import { scored } from './families/scored.ts'

/** How easy something was, from 1 to 7. */
export const ces = {
  ...scored<ScoreQuestion>(() => ({ min: 1, max: 7 })),
  bandOf: (score: number) => (score >= 5 ? 'easy' : score === 4 ? 'neutral' : 'difficult'),
} as const
