import type { Filter } from '../../../platform/filter/grammar.ts'
import { countsOf, figureOf } from '../../../survey-engine/metrics/metrics.ts'
import { METRICS, type Metric } from '../../../survey-engine/model/definition.ts'

/** Completed responses with one score. */
export interface ScoreRow {
  metric: Metric | null
  score: number | null
  n: number
}

export interface Figure {
  label: string
  value: number
  n: number
  query: Record<string, unknown>
}

const FEWEST_SCORED = 5

/** Numbers of an answer, each with the query that gives it. A score of fewer than five people is left out. */
export function figuresOf(rows: ScoreRow[], filter: Filter): Figure[] {
  const total = rows.reduce((sum, { n }) => sum + n, 0)
  const query = (measure: string) => ({ source: 'responses', measure, filter })
  const scores = METRICS.flatMap((metric): Figure[] => {
    const own = rows.flatMap((row) =>
      row.metric === metric && row.score !== null ? [{ score: row.score, n: row.n }] : [],
    )
    const { score, n } = figureOf(metric, countsOf(own))
    return score === null || n < FEWEST_SCORED ? [] : [{ label: LABELS[metric], value: score, n, query: query(metric) }]
  })
  const counted = { label: 'Completed responses', value: total, n: total, query: query('count') }
  return [counted, ...scores.toSorted((a, b) => b.n - a.n)]
}

const LABELS = { nps: 'NPS', csat: 'CSAT, satisfied in per cent', ces: 'CES, easy in per cent' }
