import type { CsatQuestion } from '../model/definition.ts'
import { scored } from './families/scored.ts'

/** How satisfied people are, from 1 to 5. */
export const csat = {
  ...scored<CsatQuestion>(() => ({ min: 1, max: 5 })),
  bandOf: (score: number) => (score >= 4 ? 'satisfied' : score === 3 ? 'neutral' : 'dissatisfied'),
} as const
