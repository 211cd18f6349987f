import { useId } from 'react'
import { GrowingText, Labelled } from '../../../../ui/form.tsx'
import { formatLanguage } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { rememberCursor } from './insert-value.tsx'
import type { LocalizedText } from '../model/draft.ts'
import { textIn } from '../model/texts.ts'
import { useDraft, useMayEdit } from '../use-builder.ts'

interface Props {
  label: string
  text: LocalizedText | undefined
  onWrite: (written: string) => void
  error?: string | undefined
  isLong?: boolean
  placeholder?: string
}

/** A text of the survey in its first language. */
export function TextField({ label, text, onWrite, error, isLong = false, placeholder }: Props) {
  const mayEdit = useMayEdit()
  const language = useDraft().default_language
  const shared = {
    lang: language,
    dir: 'auto',
    readOnly: !mayEdit,
    placeholder,
    value: textIn(text, language),
    onSelect: rememberCursor,
  }
  return (
    <Labelled label={label} error={error}>
      {(control) =>
        isLong ? (
          <GrowingText {...control} {...shared} className="input" onChange={({ target }) => onWrite(target.value)} />
        ) : (
          <input {...control} {...shared} className="input" onChange={({ target }) => onWrite(target.value)} />
        )
      }
    </Labelled>
  )
}

/** The question or ending itself, as large as it will be read. */
export function TitleField({ label, text, onWrite, error }: Props) {
  const words = useWords()
  const id = useId()
  const mayEdit = useMayEdit()
  const language = useDraft().default_language
  return (
    <>
      <GrowingText
        className="title"
        aria-label={label}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : id}
        lang={language}
        dir="auto"
        readOnly={!mayEdit}
        placeholder={words('build:titleIn', { language: formatLanguage(language) })}
        value={textIn(text, language)}
        onSelect={rememberCursor}
        onChange={({ target }) => onWrite(target.value)}
      />
      {error !== undefined && (
        <p className="wrong" id={id}>
          {error}
        </p>
      )}
    </>
  )
}
