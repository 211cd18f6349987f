import type { AnswerValues, Metric, SurveyDefinition } from '../model/definition.ts'
import { own } from '../model/record.ts'

export type Band = 'promoter' | 'passive' | 'detractor' | 'satisfied' | 'neutral' | 'dissatisfied' | 'easy' | 'difficult'

export interface Score {
  metric: Metric
  value: number
  band: Band
}

/** The response's score, from the first answered question of the survey's metric; null where there is none. */
export function scoreOf(definition: SurveyDefinition, values: AnswerValues): Score | null {
  const { metric } = definition
  if (metric === null) return null
  for (const { id, type } of definition.questions) {
    const value = type === metric ? own(values, id) : undefined
    if (typeof value === 'number') return { metric, value, band: bandOf(metric, value) }
  }
  return null
}

/** NPS 9–10, 7–8, 0–6; CSAT 4–5, 3, 1–2; CES 5–7, 4, 1–3. */
export function bandOf(metric: Metric, value: number): Band {
  switch (metric) {
    case 'nps':
      return value >= 9 ? 'promoter' : value >= 7 ? 'passive' : 'detractor'
    case 'csat':
      return value >= 4 ? 'satisfied' : value === 3 ? 'neutral' : 'dissatisfied'
    case 'ces':
      return value >= 5 ? 'easy' : value === 4 ? 'neutral' : 'difficult'
  }
}
