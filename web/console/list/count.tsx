import { countText, formatNumber } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import { type Page, PAGE_ROWS, type Rows } from './pages.ts'

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

/** New rows of a list that stands still, and the way to see them. */
export function Waiting({
  list,
  onShow,
}: {
  list: Pick<Rows<unknown>, 'waiting' | 'showWaiting'>
  onShow?: () => void
}) {
  const words = useWords()
  const { waiting } = list
  if (waiting === 0) return null
  const show = () => {
    onShow?.()
    list.showWaiting()
    scrollTo({ top: 0 })
  }
  return (
    <button type="button" className="link" role="status" onClick={show}>
      {words(waiting < PAGE_ROWS ? 'list:new' : 'list:newAtLeast', { count: waiting, n: formatNumber(waiting) })}
    </button>
  )
}
