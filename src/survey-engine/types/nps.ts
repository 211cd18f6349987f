import type { ScoreQuestion } from '../model/definition.ts'
import { scored } from './families/scored.ts'

/** How likely people are to recommend, from 0 to 10. */
export const nps = {
  ...scored<ScoreQuestion>(() => ({ min: 0, max: 10 })),
  bandOf: (score: number) => (score >= 9 ? 'promoter' : score >= 7 ? 'passive' : 'detractor'),
} as const
