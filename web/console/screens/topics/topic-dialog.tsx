import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Problem } from '../../frame/failure.tsx'
import { answerOf, api, issuesOf } from '../../session/api.ts'
import { formatLanguage } from '../../words/format.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Schemas } from '../../../api/client.ts'

type Topic = Schemas['Topic']

const LANGUAGES = ['en', 'de', 'es', 'ar', 'fr', 'it', 'nl', 'pl', 'pt', 'tr']

/** A topic with its words, for a new one or to change one. */
export function TopicDialog({ topic, onClose }: { topic: Topic | null; onClose: () => void }) {
  const words = useWords()
  const client = useQueryClient()
  const own = useLanguage()
  const [languages, setLanguages] = useState(() => (topic ? Object.keys(topic.keywords) : [own as string]))
  const save = useMutation({
    mutationFn: (body: { name: string; keywords: Record<string, string[]> }) =>
      topic
        ? answerOf(api.PATCH('/v1/topics/{id}', { params: { path: { id: topic.id } }, body }))
        : answerOf(api.POST('/v1/topics', { body })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['topics'] })
      onClose()
    },
  })
  const { issues, errorOf } = issuesOf(save.error)
  const isPlaced = issues.some(({ path }) => path === 'name' || path.startsWith('keywords.'))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const keywords = languages.flatMap((language): Array<[string, string[]]> => {
      const list = String(form.get(`keywords.${language}`))
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '')
      return list.length === 0 ? [] : [[language, list]]
    })
    save.mutate({ name: String(form.get('name')).trim(), keywords: Object.fromEntries(keywords) })
  }
  const others = LANGUAGES.filter((language) => !languages.includes(language))
  const verb = words(topic ? 'frame:save' : 'topics:new')
  return (
    <Dialog
      title={topic ? topic.name : words('topics:new')}
      closeLabel={words('frame:close')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{words('frame:cancel')}</Button>
          <Button type="submit" form="topic" look="primary" isBusy={save.isPending}>
            {verb}
          </Button>
        </>
      }
    >
      <form id="topic" className="form" onSubmit={submit} noValidate>
        {save.error && !isPlaced && <Problem error={save.error} />}
        <Field
          label={words('topics:name')}
          name="name"
          defaultValue={topic?.name}
          maxLength={80}
          required
          autoFocus
          error={errorOf('name')}
        />
        {languages.map((language) => (
          <Field
            key={language}
            label={words('topics:keywords', { language: formatLanguage(language) })}
            hint={words('topics:keywordsHint')}
            name={`keywords.${language}`}
            lang={language}
            dir="auto"
            defaultValue={topic?.keywords[language]?.join(', ')}
            error={errorOf(`keywords.${language}`)}
          />
        ))}
        {others.length > 0 && (
          <p>
            <Menu
              groups={[
                {
                  items: others.map((language) => ({
                    label: formatLanguage(language),
                    onChoose: () => setLanguages([...languages, language]),
                  })),
                },
              ]}
            >
              {words('topics:addLanguage')}
            </Menu>
          </p>
        )}
      </form>
    </Dialog>
  )
}
