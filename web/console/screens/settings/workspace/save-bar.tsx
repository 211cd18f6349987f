import { Button } from '../../../../ui/button.tsx'
import { formatNumber } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'

interface Props {
  /** Settings that differ from the saved ones. */
  count: number
  /** In place of their number alone. */
  says?: string
  isBusy: boolean
  onUndo: () => void
}

/** How many settings of the form around it are changed, at the bottom of the window. */
export function SaveBar({ count, says, isBusy, onUndo }: Props) {
  const words = useWords()
  return (
    <div className="save-bar" hidden={count === 0}>
      <span className="soft" role="status">
        {count > 0 && (says ?? words('settings:changes', { count, n: formatNumber(count) }))}
      </span>
      <Button onClick={onUndo} disabled={isBusy}>
        {words('frame:undo')}
      </Button>
      <Button type="submit" look="primary" isBusy={isBusy}>
        {words('frame:save')}
      </Button>
    </div>
  )
}
