import { useState, type FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { useWords } from '../../../words/words.ts'

interface Props {
  id: string
  isTaken: (id: string) => boolean
  onRename: (id: string) => void
  onClose: () => void
}

const ID = /^[A-Za-z][A-Za-z0-9_]{0,63}$/

export function RenameQuestion({ id, isTaken, onRename, onClose }: Props) {
  const words = useWords()
  const [next, setNext] = useState(id)
  const isWrong = next !== id && (!ID.test(next) || isTaken(next))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWrong) return
    if (next !== id) onRename(next)
    onClose()
  }
  return (
    <Dialog
      title={words('build:rename')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="rename" look="primary" disabled={isWrong}>
            {words('frame:save')}
          </Button>
        </>
      }
    >
      <form id="rename" onSubmit={submit}>
        <Field
          label={words('build:id')}
          hint={words('build:idHint')}
          error={isWrong ? words('build:idWrong') : undefined}
          className="mono"
          dir="ltr"
          value={next}
          onChange={({ target }) => setNext(target.value)}
        />
      </form>
    </Dialog>
  )
}
