import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

const FIELDS = ['name', 'email', 'phone', 'external_id'] as const

export function AddPerson({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const add = useMutation({
    mutationFn: (body: Partial<Record<(typeof FIELDS)[number], string>>) => answerOf(api.POST('/v1/people', { body })),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['people'] })
      onClose()
      void navigate({ to: '/app/people/$personId', params: { personId: id } })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = FIELDS.map((name) => [name, String(form.get(name)).trim()]).filter(([, value]) => value !== '')
    add.mutate(Object.fromEntries(given) as Record<string, string>)
  }
  const { errorOf } = issuesOf(add.error)
  return (
    <Dialog
      title={words('people:add')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="add-person" look="primary" isBusy={add.isPending}>
            {words('people:add')}
          </Button>
        </>
      }
    >
      <form id="add-person" className="form" onSubmit={submit} noValidate>
        {add.error && !FIELDS.some(errorOf) && <Problem error={add.error} />}
        <Field label={words('people:targets.name')} name="name" autoFocus error={errorOf('name')} />
        <Field label={words('list:fields.email')} name="email" type="email" dir="ltr" error={errorOf('email')} />
        <Field label={words('list:fields.phone')} name="phone" type="tel" dir="ltr" error={errorOf('phone')} />
        <Field
          label={words('list:fields.external_id')}
          name="external_id"
          dir="ltr"
          hint={words('people:knownHint')}
          error={errorOf('external_id')}
        />
      </form>
    </Dialog>
  )
}
