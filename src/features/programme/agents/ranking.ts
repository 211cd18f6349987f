import type { Figure } from './intervals.ts'

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

// A score without an interval is uncertain, so it ties.
function overlap({ interval: a }: Figure, { interval: b }: Figure): boolean {
  return a === null || b === null || (a.low <= b.high && b.low <= a.high)
}
