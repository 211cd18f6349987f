import { formatNumber } from './format.ts'
import type { Words } from './words.ts'

/** A number of rows, or the number that there are more of. */
export function countText({ n, exact }: { n: number; exact: boolean }, words: Words): string {
  return exact ? formatNumber(n) : words('list:moreThan', { n: formatNumber(n) })
}
