import { SLUG, checkIds } from '../../model/identifiers.ts'
import type { Issues } from '../../model/issues.ts'
import { LIMITS } from '../../model/limits.ts'

export function isWholeFrom(value: number, low: number, high: number): boolean {
  return Number.isInteger(value) && value >= low && value <= high
}

/** Reports choices, rows or columns that are too many, or whose ids cannot be used. */
export function checkLines(issues: Issues, lines: { id: string }[], path: string): void {
  if (lines.length > LIMITS.choices) issues.add(path, `Remove some; there may be at most ${LIMITS.choices}.`)
  checkIds(
    issues,
    lines.map(({ id }, index) => ({ path: `${path}.${index}.id`, id })),
    SLUG,
  )
}
