import { formatNumber } from '../words/format.ts'
import { useWords } from '../words/words.ts'
import { PAGE_ROWS, type Rows } from './pages.ts'

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
