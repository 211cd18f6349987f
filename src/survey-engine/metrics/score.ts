import type { AnswerValues, Band, Metric, SurveyDefinition } from '../model/definition.ts'
import { own } from '../model/record.ts'
import { ces } from '../types/ces.ts'
import { csat } from '../types/csat.ts'
import { nps } from '../types/nps.ts'

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
  return TYPES[metric].bandOf(value)
}

const TYPES = { nps, csat, ces } satisfies Record<Metric, { bandOf(score: number): Band }>
