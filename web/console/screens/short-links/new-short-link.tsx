import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'
import { bodyOf, LinkFields, NEW, type Draft } from './link-fields.tsx'

/** Asks where a short link leads, and makes it. */
export function NewShortLink({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft>(NEW)
  const make = useMutation({
    mutationFn: () => answerOf(api.POST('/v1/short-urls', { body: bodyOf(draft) as never })),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['short-urls'] })
      void navigate({ to: '/app/short-links/$linkId', params: { linkId: id } })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <Dialog
      title={words('short-links:new')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="short-link" look="primary" isBusy={make.isPending}>
            {words('short-links:make')}
          </Button>
        </>
      }
    >
      <form id="short-link" className="form" onSubmit={submit} noValidate>
        <LinkFields draft={draft} error={make.error} onChange={(part) => setDraft({ ...draft, ...part })} />
      </form>
    </Dialog>
  )
}
