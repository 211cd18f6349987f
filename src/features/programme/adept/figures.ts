import type { Filter } from '../../../platform/filter/grammar.ts'
import type { CountRow } from './counts.ts'

export interface Figure {
  label: string
  value: number
  n: number
  query: Record<string, unknown>
}

const FEWEST = 5

/** Numbers of an answer, each with the query that gives it. A score of fewer than five people is left out. */
export function figuresOf(rows: CountRow[], filter: Filter): Figure[] {
  const total = rows.reduce((sum, { n }) => sum + n, 0)
  const query = (measure: string) => ({ source: 'responses', measure, filter })
  const scores = rows.flatMap((row): Figure[] => {
    if (row.metric === null || row.n < FEWEST) return []
    return [{ label: LABELS[row.metric] ?? row.metric, value: scoreOf(row), n: row.n, query: query(row.metric) }]
  })
  return [{ label: 'Completed responses', value: total, n: total, query: query('count') }, ...scores]
}

const LABELS: Record<string, string> = { nps: 'NPS', csat: 'CSAT, satisfied in per cent', ces: 'CES, mean' }

function scoreOf({ metric, n, good, bad, score_sum }: CountRow): number {
  if (metric === 'nps') return rounded(((good - bad) / n) * 100)
  return rounded(metric === 'csat' ? (good / n) * 100 : score_sum / n)
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
