import { FEWEST_FOR_INTERVAL, type Figure } from '../../../survey-engine/metrics/metrics.ts'

export interface Ranked<Row> {
  row: Row
  figure: Figure
  position: number
  isTiedWithNext: boolean
}

/**
 * Agents by their scores, the best first. Neighbours whose intervals overlap are tied and share a position; the next
 * position counts all before it.
 */
export function ranked<Row>(rows: Array<{ row: Row; figure: Figure }>): Array<Ranked<Row>> {
  const sorted = rows.toSorted(
    (a, b) => (b.figure.score ?? -Infinity) - (a.figure.score ?? -Infinity) || b.figure.n - a.figure.n,
  )
  let position = 1
  return sorted.map(({ row, figure }, index) => {
    const [before, next] = [sorted[index - 1], sorted[index + 1]]
    if (before && !overlap(before.figure, figure)) position = index + 1
    return { row, figure, position, isTiedWithNext: next !== undefined && overlap(figure, next.figure) }
  })
}

function overlap(a: Figure, b: Figure): boolean {
  const [first, second] = [spanOf(a), spanOf(b)]
  return first.low <= second.high && second.low <= first.high
}

// A score of few answers is uncertain, so it ties. One of many answers that are all alike stands for itself.
function spanOf({ n, score, interval }: Figure): { low: number; high: number } {
  if (interval) return interval
  if (score === null || n < FEWEST_FOR_INTERVAL) return { low: -Infinity, high: Infinity }
  return { low: score, high: score }
}
