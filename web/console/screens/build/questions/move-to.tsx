import { useState, type FormEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Labelled, NumberInput } from '../../../../ui/form.tsx'
import { useWords } from '../../../words/words.ts'

interface Props {
  place: number
  of: number
  onMove: (place: number) => void
  onClose: () => void
}

export function MoveTo({ place, of, onMove, onClose }: Props) {
  const words = useWords()
  const [to, setTo] = useState<number | null>(place)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (to !== null) onMove(to)
  }
  return (
    <Dialog
      title={words('build:move')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="move-to" look="primary">
            {words('build:moveVerb')}
          </Button>
        </>
      }
    >
      <form id="move-to" onSubmit={submit}>
        <Labelled label={words('build:place', { of })}>
          {(control) => <NumberInput {...control} value={to} onNumber={setTo} min={1} max={of} step={1} />}
        </Labelled>
      </form>
    </Dialog>
  )
}
