import { type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { useWords } from '../../words/words.ts'
import { useChangeAlert, type Alert } from './change.ts'

interface Props {
  alert: Alert
  etag: string | undefined
  onClose: () => void
}

/** Ends the work on an alert, with the words that say how. */
export function Resolve({ alert, etag, onClose }: Props) {
  const words = useWords()
  const change = useChangeAlert()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => String(form.get(name)).trim() || null
    change.mutate(
      {
        seen: alert,
        etag,
        body: { status: 'resolved', resolution: textOf('resolution'), root_cause: textOf('root_cause') },
        text: words('alerts:moved', { status: words('list:values.resolved') }),
        undo: { status: 'reopened' },
      },
      { onSettled: onClose },
    )
  }
  return (
    <Dialog
      title={words('alerts:resolveTitle')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="resolve-alert" look="primary" isBusy={change.isPending}>
            {words('alerts:resolve')}
          </Button>
        </>
      }
    >
      <form id="resolve-alert" className="form" onSubmit={submit}>
        <div className="field">
          <label htmlFor="resolution">{words('list:fields.resolution')}</label>
          <textarea
            id="resolution"
            name="resolution"
            className="input"
            rows={3}
            maxLength={5000}
            autoFocus
            defaultValue={alert.resolution ?? ''}
          />
        </div>
        <Field
          label={words('list:fields.root_cause')}
          name="root_cause"
          maxLength={5000}
          hint={words('alerts:causeHint')}
          defaultValue={alert.root_cause ?? ''}
        />
      </form>
    </Dialog>
  )
}
