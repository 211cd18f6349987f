import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Webhook } from './endpoints.ts'
import { EventChoice } from './event-choice.tsx'
import { SecretOnce } from '../../endpoints/secret-once.tsx'

export function AddEndpoint({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [events, setEvents] = useState<string[]>([])
  const create = useMutation({
    mutationFn: (body: { url: string; description: string; events: string[] }) =>
      answerOf(api.POST('/v1/webhooks', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  const { issues, errorOf } = issuesOf(create.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    create.mutate({ url: String(form.get('url')).trim(), description: String(form.get('description')).trim(), events })
  }
  if (create.data)
    return (
      <SecretOnce
        secret={create.data.secret ?? ''}
        onCopied={() => {
          onClose()
          void navigate({ to: '/app/webhooks/$webhookId', params: { webhookId: (create.data as Webhook).id } })
        }}
      />
    )
  return (
    <Dialog
      title={words('webhooks:add')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="add-endpoint" look="primary" isBusy={create.isPending}>
            {words('webhooks:add')}
          </Button>
        </>
      }
    >
      <form id="add-endpoint" className="form" onSubmit={submit} noValidate>
        {create.error && issues.length === 0 && <Problem error={create.error} />}
        <Field
          label={words('webhooks:url')}
          hint={words('webhooks:urlHint')}
          name="url"
          type="url"
          dir="ltr"
          placeholder="https://example.com/hooks/earshot"
          required
          autoFocus
          error={errorOf('url')}
        />
        <Field label={words('webhooks:name')} name="description" maxLength={200} error={errorOf('description')} />
        <EventChoice chosen={events} onChange={setEvents} />
      </form>
    </Dialog>
  )
}
