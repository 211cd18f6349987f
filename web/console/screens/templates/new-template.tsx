import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api } from '../../session/api.ts'
import { useLanguage, useWords, type Words } from '../../words/words.ts'

/** Asks for a name, and begins with a mail that can be sent. */
export function NewTemplate({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const language = useLanguage()
  const client = useQueryClient()
  const navigate = useNavigate()
  const make = useMutation({
    mutationFn: (name: string) =>
      answerOf(
        api.POST('/v1/email-templates', {
          body: { name, default_language: language, content: { [language]: starterOf(words) } },
        }),
      ),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: ['templates'] })
      void navigate({ to: '/app/templates/$templateId', params: { templateId: id } })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    make.mutate(String(new FormData(event.currentTarget).get('name')).trim())
  }
  return (
    <Dialog
      title={words('templates:new')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="new-template" look="primary" isBusy={make.isPending}>
            {words('templates:make')}
          </Button>
        </>
      }
    >
      <form id="new-template" className="form" onSubmit={submit}>
        {make.error && <Problem error={make.error} />}
        <Field
          label={words('list:fields.name')}
          name="name"
          required
          maxLength={120}
          hint={words('templates:nameHint')}
        />
      </form>
    </Dialog>
  )
}

/** The first content of a template: everything that a mail needs, in the language of the console. */
function starterOf(words: Words) {
  const link = (address: string, label: string) => `<p><a href="{{ ${address} }}">${label}</a></p>`
  return {
    subject: words('templates:starter.subject', { workspace: '{{ workspace.name }}' }),
    html: [
      `<p>${words('templates:starter.hello', { name: '{{ name }}' })}</p>`,
      `<p>${words('templates:starter.intro')}</p>`,
      '<p><strong>{{ survey.question }}</strong></p>',
      '{% score_links %}',
      link('survey_url', words('templates:starter.answer')),
      link('unsubscribe_url', words('templates:starter.unsubscribe')),
    ].join('\n'),
  }
}
