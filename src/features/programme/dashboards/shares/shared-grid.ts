import { COLUMNS } from '../grid.ts'

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
