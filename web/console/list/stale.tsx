import { Button } from '../../ui/button.tsx'
import { Note } from '../../ui/parts.tsx'
import { useWords } from '../words/words.ts'

/** Another person saved the same thing first. Nothing is lost until one of the two is chosen. */
export function Stale({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }) {
  const words = useWords()
  return (
    <Note tone="bad">
      <p>{words('list:stale.text')}</p>
      <p className="filters" style={{ marginBlockStart: 6 }}>
        <Button onClick={onTheirs}>{words('list:stale.theirs')}</Button>
        <Button onClick={onMine}>{words('list:stale.mine')}</Button>
      </p>
    </Note>
  )
}
