import { Button } from '../../../ui/button.tsx'
import { formatLanguage } from '../../words/format.ts'
import { useWords } from '../../words/words.ts'
import type { Draft } from './state.ts'

/** Those of the built-in template, and a few more. The API takes any. */
const OFFERED = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar', 'cs', 'da', 'fi', 'he', 'ja', 'sv', 'tr', 'uk']

interface Props {
  draft: Draft
  language: string
  onChange: (part: Partial<Draft>) => void
  onLanguage: (language: string) => void
}

/** The languages of a mail. A further one begins as a copy of the default. */
export function LanguageChoice({ draft, language, onChange, onLanguage }: Props) {
  const words = useWords()
  const { content, default_language } = draft
  const own = [default_language, ...Object.keys(content).filter((each) => each !== default_language)]
  const left = OFFERED.filter((each) => !own.includes(each))
  const add = (next: string) => {
    const { subject = '', html = '', text } = content[default_language] ?? {}
    onChange({ content: { ...content, [next]: { subject, html, ...(text !== undefined && { text }) } } })
    onLanguage(next)
  }
  const remove = () => {
    const { [language]: _, ...rest } = content
    onChange({ content: rest })
    onLanguage(default_language)
  }
  return (
    <div className="field" role="group" aria-label={words('list:fields.languages')}>
      <span className="label">{words('list:fields.languages')}</span>
      <div className="filters">
        <div className="segmented">
          {own.map((each) => (
            <button key={each} type="button" aria-pressed={each === language} onClick={() => onLanguage(each)}>
              {formatLanguage(each)}
            </button>
          ))}
        </div>
        <select
          className="input add-language"
          aria-label={words('templates:addLanguage')}
          value=""
          onChange={({ target }) => target.value !== '' && add(target.value)}
        >
          <option value="">{words('templates:addLanguage')}</option>
          {left.map((each) => (
            <option key={each} value={each}>
              {formatLanguage(each)}
            </option>
          ))}
        </select>
      </div>
      {language === default_language ? (
        <span className="hint">{words('templates:isDefault')}</span>
      ) : (
        <span className="filters">
          <Button look="quiet" onClick={() => onChange({ default_language: language })}>
            {words('templates:makeDefault')}
          </Button>
          <Button look="quiet" onClick={remove}>
            {words('templates:takeOut', { language: formatLanguage(language) })}
          </Button>
        </span>
      )}
    </div>
  )
}
