import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Note } from '../../../ui/parts.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMe } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { formatLanguage } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'

interface Props {
  id: string
  language: string
  isChanged: boolean
  onClose: () => void
}

/** Sends the stored mail with example data to one address. */
export function TestMail({ id, language, isChanged, onClose }: Props) {
  const words = useWords()
  const me = useMe()
  const send = useMutation({
    mutationFn: (to: string) =>
      answerOf(api.POST('/v1/email-templates/{id}/test', { params: { path: { id } }, body: { to, language } })),
    onSuccess: (_, to) => {
      toast({ text: words('templates:sent', { to }) })
      onClose()
    },
  })
  const issue = send.error instanceof ApiProblem ? send.error.issues.find(({ path }) => path === 'to') : undefined
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    send.mutate(String(new FormData(event.currentTarget).get('to')).trim())
  }
  return (
    <Dialog
      title={words('templates:test')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="test-mail" look="primary" isBusy={send.isPending}>
            {words('templates:send')}
          </Button>
        </>
      }
    >
      <form id="test-mail" className="form" onSubmit={submit} noValidate>
        {isChanged && <Note tone="warn">{words('templates:unsaved')}</Note>}
        {send.error && !issue && <Problem error={send.error} />}
        <Field
          label={words('templates:to')}
          name="to"
          type="email"
          dir="ltr"
          defaultValue={me.user?.email ?? ''}
          error={issue?.message}
          hint={words('templates:testHint', { language: formatLanguage(language) })}
        />
      </form>
    </Dialog>
  )
}
