import { FEWEST_FOR_INTERVAL, type Figure } from '../../../survey-engine/metrics/metrics.ts'

export interface Ranked<Row> {
  row: Row
  figure: Figure
  position: number
  isTiedWithNext: boolean
}

/**
 * Agents by their scores, the best first. A position is shared by the first agent who has it and those after whose
 * intervals overlap with the first one's, so ties do not chain. The next position counts all before it.
 */
export function ranked<Row>(rows: Array<{ row: Row; figure: Figure }>): Array<Ranked<Row>> {
  const sorted = rows.toSorted(
    (a, b) => (b.figure.score ?? -Infinity) - (a.figure.score ?? -Infinity) || b.figure.n - a.figure.n,
  )
  let first = 0
  return sorted.map(({ row, figure }, index) => {
    const [leader, next] = [sorted[first], sorted[index + 1]]
    if (leader && !overlap(leader.figure, figure)) first = index
    return { row, figure, position: first + 1, isTiedWithNext: next !== undefined && overlap(figure, next.figure) }
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
