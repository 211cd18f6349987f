import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import type { ListState } from '../../app/list-state.ts'
import { reasonOf } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

/** A list of which filters can be saved. */
export type Entity = 'responses' | 'people' | 'alerts' | 'leads' | 'webhook_deliveries'

/** Gives the present filter and order a name. */
export function SaveView({
  entity,
  state,
  columns,
  onClose,
  onSaved,
}: {
  entity: Entity
  state: ListState
  columns: string[]
  onClose: () => void
  onSaved: (id: string) => void
}) {
  const words = useWords()
  const save = useMutation({
    mutationFn: (form: FormData) =>
      answerOf(
        api.POST('/v1/filter-views', {
          body: {
            name: String(form.get('name')),
            entity,
            filter: (state.filter ?? { all: [] }) as never,
            ...(state.sort !== undefined && { sort: state.sort }),
            columns,
            visibility: form.get('shared') === 'on' ? 'shared' : 'private',
          },
        }),
      ),
    onSuccess: ({ id }) => onSaved(id),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog
      title={words('list:views.save')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <Button type="submit" form="save-view" look="primary" isBusy={save.isPending}>
          {words('frame:save')}
        </Button>
      }
    >
      <form className="form" id="save-view" onSubmit={submit}>
        <Field
          label={words('list:views.name')}
          name="name"
          required
          autoFocus
          error={save.error ? reasonOf(save.error, words) : undefined}
        />
        <label className="check">
          <input type="checkbox" name="shared" />
          {words('list:views.shared')}
        </label>
      </form>
    </Dialog>
  )
}
