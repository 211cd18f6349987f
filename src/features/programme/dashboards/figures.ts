import { groupInSlices, mapInSlices } from '../../../platform/loop/turns.ts'
import type { Metric } from '../../../survey-engine/model/definition.ts'
import { countsOf, figureOf, shareOf, type Interval } from '../../../survey-engine/metrics/metrics.ts'
import { MIN_N, type Measure } from './query.ts'

/** Rows of one slot of time and one key, as the database counts them. */
export interface Cell {
  slot: number
  key: string | null
  n: number
  /** Of a rate: those of the `n` that count. */
  part: number | null
  /** Of a score: which one these rows have. */
  score: number | null
  /** Of a duration: the median. */
  median: number | null
}

export interface Figure {
  enough: boolean
  n: number
  /** Null if there is nothing to tell, or too little. */
  value: number | null
  /** Of the answers of CSAT and CES. */
  mean?: number
  interval?: Interval
  /** Of the score of one survey. */
  metric?: Metric
}

const UNITS = {
  count: 'count',
  open_alerts: 'count',
  nps: 'score',
  csat: 'percent',
  ces: 'percent',
  score: 'score',
  completion_rate: 'percent',
  response_rate: 'percent',
  delivered_share: 'percent',
  median_duration: 'milliseconds',
  time_to_resolve: 'minutes',
} as const satisfies Record<Measure, string>
export type Unit = (typeof UNITS)[Measure]

export function unitOf(measure: Measure): Unit {
  return UNITS[measure]
}

/** The figure of a measure over these cells (docs/dashboards.md, "Figures"). */
export function figureFrom(measure: Measure, cells: Cell[]): Figure {
  const n = sum(cells, (cell) => cell.n)
  switch (measure) {
    case 'count':
    case 'open_alerts':
      return { enough: true, n, value: n }
    case 'nps':
    case 'csat':
    case 'ces':
      return scoreOf(measure, cells)
    case 'median_duration':
      return withheld(n, cells[0]?.median ?? null)
    case 'time_to_resolve':
      return { enough: n > 0, n, value: rounded(cells[0]?.median ?? null) }
    default:
      return rateOf(
        sum(cells, (cell) => cell.part ?? 0),
        n,
      )
  }
}

/** The figures of each key, the most frequent first. */
export async function rowsFrom(measure: Measure, cells: Cell[]): Promise<Array<Figure & { key: string }>> {
  const byKey = await groupInSlices(cells, ({ key }) => key)
  const rows = await mapInSlices(byKey, ([key, own]) => (key === null ? [] : [{ key, ...figureFrom(measure, own) }]))
  return rows.flat().toSorted((a, b) => b.n - a.n || (a.key < b.key ? -1 : 1))
}

function scoreOf(metric: Metric, cells: Cell[]): Figure {
  const scored = cells.flatMap(({ score, n }) => (score === null ? [] : [{ score, n }]))
  const { n, score, mean, interval } = figureOf(metric, countsOf(scored))
  if (n < MIN_N) return { enough: false, n, value: null }
  return { enough: true, n, value: score, ...(mean !== null && { mean }), ...(interval && { interval }) }
}

function rateOf(part: number, n: number): Figure {
  const interval = shareOf(part, n)
  return { ...withheld(n, n === 0 ? null : (100 * part) / n), ...(interval && { interval }) }
}

function withheld(n: number, value: number | null): Figure {
  return n < MIN_N ? { enough: false, n, value: null } : { enough: true, n, value: rounded(value) }
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100 + 0
}

function sum<Row>(rows: Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0)
}
