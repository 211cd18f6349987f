import { useRef, type ReactNode } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Field } from '../../../ui/field.tsx'
import { Labelled, Switch } from '../../../ui/form.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { Problem } from '../../frame/failure.tsx'
import { issuesOf } from '../../session/api.ts'
import { formatLanguage } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import { LanguageChoice } from './language-choice.tsx'
import type { Draft } from './state.ts'

/** The values that a template can have besides its own words. */
const VALUES = [
  '{{ name }}',
  '{{ survey.name }}',
  '{{ survey.question }}',
  '{% score_links %}',
  '{{ survey_url }}',
  '{{ unsubscribe_url }}',
  '{{ workspace.name }}',
  '{{ words }}',
]

interface Props {
  draft: Draft
  /** The one that is edited. */
  language: string
  isReadOnly: boolean
  error: Error | null
  onChange: (part: Partial<Draft>) => void
  onLanguage: (language: string) => void
  onSubmit: () => void
  note: ReactNode
}

/** The name of a template, and its subject and texts in each language. */
export function TemplateForm({ draft, language, isReadOnly, error, onChange, onLanguage, onSubmit, note }: Props) {
  const words = useWords()
  const html = useRef<HTMLTextAreaElement>(null)
  const part = draft.content[language] ?? { subject: '', html: '' }
  const { issues, errorOf } = issuesOf(error, `content.${language}.`)
  const elsewhere = issues.filter(({ path }) => !path.startsWith(`content.${language}.`))
  const set = (next: Partial<Schemas['Content']>) => {
    const { text, ...rest } = { ...part, ...next }
    onChange({
      content: { ...draft.content, [language]: { ...rest, ...(text !== undefined && { text }) } as Schemas['Content'] },
    })
  }
  const insert = (value: string) => {
    const area = html.current
    const [start, end] = [area?.selectionStart ?? part.html.length, area?.selectionEnd ?? part.html.length]
    set({ html: part.html.slice(0, start) + value + part.html.slice(end) })
    area?.focus()
  }
  return (
    <form
      id="template"
      className="in form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {note}
      {error && (issues.length === 0 || elsewhere.length > 0) && <Problem error={error} />}
      <fieldset className="form" disabled={isReadOnly}>
        <Field
          label={words('list:fields.name')}
          maxLength={120}
          value={draft.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <LanguageChoice draft={draft} language={language} onChange={onChange} onLanguage={onLanguage} />
        <Field
          label={words('templates:subject', { language: formatLanguage(language) })}
          lang={language}
          dir="auto"
          maxLength={1000}
          value={part.subject}
          error={errorOf('subject')}
          onChange={({ target }) => set({ subject: target.value })}
        />
        <Labelled label={words('templates:html')} hint={words('templates:htmlHint')} error={errorOf('html')}>
          {(control) => (
            <textarea
              {...control}
              ref={html}
              className="input mono"
              rows={16}
              spellCheck={false}
              dir="ltr"
              value={part.html}
              onChange={({ target }) => set({ html: target.value })}
            />
          )}
        </Labelled>
        {!isReadOnly && (
          <span>
            <Menu
              look="plain"
              groups={[
                {
                  items: VALUES.map((value) => ({
                    label: (
                      <code className="mono" dir="ltr">
                        {value}
                      </code>
                    ),
                    onChoose: () => insert(value),
                  })),
                },
              ]}
            >
              <Icon name="plus" isSmall />
              {words('templates:insert')}
            </Menu>
          </span>
        )}
        <Switch
          label={words('templates:ownText')}
          isOn={part.text !== undefined}
          onChange={(isOn) => set({ text: isOn ? '{{ survey_url }}\n\n{{ unsubscribe_url }}' : undefined } as never)}
        />
        {part.text !== undefined && (
          <Labelled label={words('templates:text')} error={errorOf('text')}>
            {(control) => (
              <textarea
                {...control}
                className="input mono"
                rows={8}
                dir="auto"
                value={part.text}
                onChange={({ target }) => set({ text: target.value })}
              />
            )}
          </Labelled>
        )}
      </fieldset>
    </form>
  )
}
