/** The columns of a page, and its widest content in pixels. */
export const COLUMNS = 12
const CONTENT = 1_168
const GAP = 16
const PADDING = 24

/**
 * The columns that each widget spans, from the widths that its author gave. Rows are filled to their end, so that the
 * page has no holes.
 */
export function spansOf(widths: number[]): number[] {
  const rows: number[][] = []
  for (const width of widths.map((wanted) => Math.min(COLUMNS, Math.max(3, wanted)))) {
    const row = rows.at(-1)
    if (row && sum(row) + width <= COLUMNS) row.push(width)
    else rows.push([width])
  }
  return rows.flatMap((row) => {
    const spans = row.map((width) => Math.floor((width * COLUMNS) / sum(row)))
    return spans.map((span, index) => (index === spans.length - 1 ? span + COLUMNS - sum(spans) : span))
  })
}

/** The pixels inside a card of so many columns. */
export function contentWidth(span: number): number {
  return Math.round(((CONTENT + GAP) * span) / COLUMNS - GAP - 2 * PADDING)
}

function sum(widths: number[]): number {
  return widths.reduce((total, width) => total + width, 0)
}
