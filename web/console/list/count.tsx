import { countText } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import type { Page } from './pages.ts'

/** How many rows match, out of how many. */
export function Count({ count }: { count: Page<unknown>['count'] }) {
  const words = useWords()
  if (!count) return null
  const { matching, all } = count
  const text =
    matching.n === all.n && matching.exact === all.exact
      ? countText(all, words)
      : words('list:of', { matching: countText(matching, words), all: countText(all, words) })
  return (
    <span className="faint figure" role="status">
      {text}
    </span>
  )
}
