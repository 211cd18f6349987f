/** The columns of a dashboard. */
export const COLUMNS = 12
const MOST_ROWS = 48

/** Where a widget stands, in columns and rows. */
export interface Box {
  id: string
  x: number
  y: number
  w: number
  h: number
}

/** Every box as far up as it can be, in reading order. The box `first` goes before others of its row. */
export function settled(boxes: Box[], first?: string): Box[] {
  const depths = Array.from({ length: COLUMNS }, () => 0)
  return boxes
    .map(fitted)
    .toSorted((a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x)
    .map((box) => {
      const y = Math.max(...depths.slice(box.x, box.x + box.w))
      depths.fill(y + box.h, box.x, box.x + box.w)
      return { ...box, y }
    })
    .toSorted((a, b) => a.y - b.y || a.x - b.x)
}

export function fitted({ id, x, y, w, h }: Box): Box {
  const wide = clamped(w, 1, COLUMNS)
  return { id, w: wide, h: clamped(h, 1, MOST_ROWS), x: clamped(x, 0, COLUMNS - wide), y }
}

function clamped(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}

/** The widest content of a page, the height of a row and the rest of a card, in pixels, as the style has them. */
const CONTENT = 1_168
export const ROW = 56
export const GAP = 16
const ASIDE = 2 * 24
const ABOVE_AND_BELOW = 16 + 18
const TITLE = 33
const LOWEST = 120

/** The pixels inside a card of so many columns and rows. */
export function contentSize({ w, h }: { w: number; h: number }): { width: number; height: number } {
  return {
    width: Math.round(((CONTENT + GAP) * w) / COLUMNS - GAP - ASIDE),
    height: Math.max(LOWEST, h * (ROW + GAP) - GAP - ABOVE_AND_BELOW - TITLE),
  }
}
