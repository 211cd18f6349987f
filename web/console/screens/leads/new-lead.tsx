import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

const PARTS = [
  ['name', 'text'],
  ['email', 'email'],
  ['phone', 'tel'],
  ['company', 'text'],
] as const

/** Adds a lead by hand. A lead that has this address is opened unchanged. */
export function NewLead({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const navigate = useNavigate()
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: async (body: Partial<Record<(typeof PARTS)[number][0], string>>) => {
      const call = api.POST('/v1/leads', { body })
      return { lead: await answerOf(call), isNew: (await call).response.status === 201 }
    },
    onSuccess: ({ lead, isNew }) => {
      void client.invalidateQueries({ queryKey: ['leads'] })
      toast({ text: words(isNew ? 'leads:added' : 'leads:known') })
      onClose()
      void navigate({ to: '/app/leads/$leadId', params: { leadId: lead.id }, search: (before) => before })
    },
  })
  const issues = create.error instanceof ApiProblem ? create.error.issues : []
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = PARTS.map(([name]) => [name, String(form.get(name)).trim()] as const).filter(
      ([, text]) => text !== '',
    )
    create.mutate(Object.fromEntries(given))
  }
  return (
    <Dialog
      title={words('leads:add')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="new-lead" look="primary" isBusy={create.isPending}>
            {words('leads:add')}
          </Button>
        </>
      }
    >
      <form id="new-lead" className="form" onSubmit={submit} noValidate>
        {create.error && issues.length === 0 && <Problem error={create.error} />}
        {PARTS.map(([name, type], at) => (
          <Field
            key={name}
            name={name}
            type={type}
            label={words(`list:fields.${name}`)}
            autoFocus={at === 0}
            {...((type === 'email' || type === 'tel') && { dir: 'ltr' })}
            error={issues.find(({ path }) => path === name)?.message}
          />
        ))}
      </form>
    </Dialog>
  )
}
