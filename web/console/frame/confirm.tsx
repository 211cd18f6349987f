import { useId, useState, type FormEvent, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useWords } from '../words/words.ts'
import { Problem } from './failure.tsx'

interface Props {
  title: string
  children: ReactNode
  verb: string
  /** Words to type first, for what nothing brings back. */
  typed?: string
  isDanger?: boolean
  /** The effect of a yes, such as a mutation. */
  act: { mutate: (nothing: void) => void; isPending?: boolean; error?: Error | null }
  /** Another way, beside the first. */
  other?: { verb: string; onPress: () => void } | undefined
  onClose: () => void
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, children, verb, typed, isDanger = true, act, other, onClose }: Props) {
  const words = useWords()
  const id = useId()
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed === undefined || text.trim() === typed) act.mutate()
  }
  return (
    <Dialog
      title={title}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          {other && (
            <Button disabled={act.isPending === true} onClick={other.onPress}>
              {other.verb}
            </Button>
          )}
          <Button
            type="submit"
            form={id}
            look={isDanger ? 'danger' : 'primary'}
            isBusy={act.isPending === true}
            disabled={typed !== undefined && text.trim() !== typed}
          >
            {verb}
          </Button>
        </>
      }
    >
      <form id={id} className="form" onSubmit={submit}>
        {children}
        {typed !== undefined && (
          <div className="field">
            <label htmlFor={`${id}-typed`}>{words('frame:typeToConfirm', { words: typed })}</label>
            <input
              id={`${id}-typed`}
              className="input"
              autoComplete="off"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          </div>
        )}
        {act.error && <Problem error={act.error} />}
      </form>
    </Dialog>
  )
}
