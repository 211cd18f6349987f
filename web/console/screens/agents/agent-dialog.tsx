import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import type { Schemas } from '../../../api/client.ts'

type Agent = Schemas['Agent']

const FIELDS = ['name', 'external_id', 'team', 'email'] as const

/** A new agent, or one to change. */
export function AgentDialog({ agent, onClose }: { agent: Agent | null; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = useMutation({
    mutationFn: (body: Pick<Agent, (typeof FIELDS)[number] | 'active'>) =>
      answerOf(
        agent
          ? api.PATCH('/v1/agents/{id}', { params: { path: { id: agent.id } }, body })
          : api.POST('/v1/agents', { body }),
      ),
    onSuccess: ({ id, name }) => {
      void client.invalidateQueries({ queryKey: ['agents'] })
      toast({ text: words('agents:saved', { name }) })
      onClose()
      if (!agent) void navigate({ to: '/app/agents/$agentId', params: { agentId: id } })
    },
  })
  const { errorOf } = issuesOf(save.error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const textOf = (name: string) => String(form.get(name)).trim()
    save.mutate({
      name: textOf('name'),
      external_id: textOf('external_id') || null,
      team: textOf('team') || null,
      email: textOf('email') || null,
      active: form.get('active') !== null,
    })
  }
  return (
    <Dialog
      title={agent ? agent.name : words('agents:new')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="agent" look="primary" isBusy={save.isPending}>
            {words('frame:save')}
          </Button>
        </>
      }
    >
      <form id="agent" className="form" onSubmit={submit} noValidate>
        {save.error && !FIELDS.some(errorOf) && <Problem error={save.error} />}
        {FIELDS.map((field) => (
          <Field
            key={field}
            label={words(`list:fields.${field}`)}
            {...(field === 'external_id' && { hint: words('agents:externalHint') })}
            name={field}
            type={field === 'email' ? 'email' : 'text'}
            defaultValue={agent?.[field] ?? ''}
            required={field === 'name'}
            autoFocus={field === 'name'}
            error={errorOf(field)}
          />
        ))}
        <label className="check">
          <input type="checkbox" name="active" defaultChecked={agent?.active ?? true} />
          {words('agents:active')}
        </label>
      </form>
    </Dialog>
  )
}
