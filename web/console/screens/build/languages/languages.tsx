import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { Note } from '../../../../ui/parts.tsx'
import { formatLanguage } from '../../../words/format.ts'
import { useWords } from '../../../words/words.ts'
import { AddLanguage } from './add-language.tsx'
import { Confirm } from '../../../frame/lazy-confirm.tsx'
import {
  addLanguage,
  coverage,
  isMissing,
  languagesOf,
  removeLanguage,
  rowsOf,
  setFirstLanguage,
  setTextAt,
  shown,
  textIn,
  type Row as TextRow,
} from '../model/texts.ts'
import { useBuilder, useBuildState, useDraft, useMayEdit } from '../use-builder.ts'

const RTL = new Set(['ar', 'he', 'fa', 'ur'])
/** Earshot's own words on the page come in these. */
const BUILT_IN = new Set(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ar'])

/** Every text of the survey in all of its languages side by side, with what is missing. */
export function Languages() {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const [{ at: sought }] = useBuildState()
  const [isMissingOnly, setMissingOnly] = useState(sought !== undefined)
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  // A row whose last gap was filled stays until the filter is used again.
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const [narrow, setNarrow] = useState(sought ?? null)
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => focusGap(table.current, sought), [sought])
  const languages = languagesOf(draft)
  const { of, done } = useMemo(() => coverage(draft), [draft])
  const rows = useMemo(() => rowsOf(draft), [draft])
  const gaps = rows.filter(({ text }) =>
    languages.some((language) => isMissing(text, language, draft, languages.length)),
  )
  const missing = new Set(gaps.map(({ path }) => path))
  const visible = isMissingOnly ? rows.filter(({ path }) => missing.has(path) || kept.has(path)) : rows
  const write = useCallback(
    (path: string, language: string, written: string) =>
      builder.edit((before) => setTextAt(before, path, language, written), `${path} ${language}`),
    [builder],
  )
  const others = languages.slice(1)
  const onPhone = narrow !== null && others.includes(narrow) ? narrow : others[0]
  return (
    <div className="languages">
      {others.length > 1 && (
        <div className="tools only-narrow">
          <div className="segmented" role="group" aria-label={words('build:views.languages')}>
            {others.map((language) => (
              <button
                key={language}
                type="button"
                aria-pressed={language === onPhone}
                onClick={() => setNarrow(language)}
              >
                {formatLanguage(language)}
              </button>
            ))}
          </div>
        </div>
      )}
      <table className="table texts keep" ref={table} aria-label={words('build:views.languages')}>
        <thead>
          <tr>
            {languages.map((language, at) => (
              <th key={language} scope="col" className={at > 0 && language !== onPhone ? 'wide' : ''}>
                <span className="head">
                  <b>{formatLanguage(language)}</b>{' '}
                  {at === 0 ? (
                    <span className="faint">{words('build:firstLanguage')}</span>
                  ) : (
                    <span className={done.get(language) === of ? 'faint' : 'warned'}>
                      {words('build:done_of', { done: done.get(language) ?? 0, of })}
                    </span>
                  )}
                  {at > 0 && mayEdit && (
                    <Menu
                      size="square"
                      label={words('build:languageMenu', { language: formatLanguage(language) })}
                      groups={[
                        {
                          items: [
                            {
                              label: words('build:makeFirst'),
                              onChoose: () => builder.edit((before) => setFirstLanguage(before, language)),
                            },
                            { label: words('build:removeLanguage'), onChoose: () => setRemoving(language) },
                          ],
                        },
                      ]}
                    >
                      <Icon name="ellipsis" isSmall />
                    </Menu>
                  )}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visible.map((row) => (
            <Texts
              key={row.path}
              row={row}
              source={shown(row.text, draft)}
              languages={languages}
              narrow={onPhone}
              mayEdit={mayEdit}
              count={languages.length}
              first={draft.default_language}
              onWrite={write}
            />
          ))}
        </tbody>
      </table>
      {visible.length === 0 && (
        <p className="soft nothing">{words(rows.length === 0 ? 'build:noTexts' : 'build:allThere')}</p>
      )}
      <p className="foot">
        {mayEdit && (
          <Button look="quiet" onClick={() => setAdding(true)}>
            <Icon name="plus" isSmall />
            {words('build:language')}
          </Button>
        )}
        {languages.length > 1 && (
          <Button
            look="quiet"
            aria-pressed={isMissingOnly}
            onClick={() => {
              setKept(missing)
              setMissingOnly(!isMissingOnly)
            }}
          >
            {isMissingOnly && <Icon name="check" isSmall />}
            {words('build:missingOnly')}
          </Button>
        )}
      </p>
      {languages
        .filter((language) => !BUILT_IN.has(language.split('-', 1)[0] ?? ''))
        .map((language) => (
          <div key={language} className="in">
            <Note>{words('build:ownWords', { language: formatLanguage(language) })}</Note>
          </div>
        ))}
      {isAdding && (
        <AddLanguage
          present={languages}
          onAdd={(language) => {
            builder.edit((before) => addLanguage(before, language))
            setNarrow(language)
            setAdding(false)
            // After the dialog has given the focus back.
            setTimeout(() => focusGap(table.current, language))
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {removing !== null && (
        <Confirm
          title={words('build:removeLanguageTitle', { language: formatLanguage(removing) })}
          verb={words('build:removeLanguage')}
          onClose={() => setRemoving(null)}
          act={{
            mutate: () => {
              builder.edit((before) => removeLanguage(before, removing))
              setRemoving(null)
            },
          }}
        >
          <p>{words('build:removeLanguageText', { count: done.get(removing) ?? 0 })}</p>
        </Confirm>
      )}
    </div>
  )
}

function focusGap(table: HTMLElement | null, language: string | undefined) {
  if (language !== undefined) table?.querySelector<HTMLElement>(`.gap[lang="${CSS.escape(language)}"]`)?.focus()
}

interface TextsProps {
  row: TextRow
  source: string
  languages: string[]
  narrow: string | undefined
  mayEdit: boolean
  count: number
  first: string
  onWrite: (path: string, language: string, written: string) => void
}

const Texts = memo(
  function Texts({ row, source, languages, narrow, mayEdit, count, first, onWrite }: TextsProps) {
    return (
      <tr>
        {languages.map((language) => {
          const isGap = isMissing(row.text, language, { default_language: first } as never, count)
          const written =
            typeof row.text === 'string' ? (language === first ? row.text : '') : textIn(row.text, language)
          return (
            <td key={language} className={language !== first && language !== narrow ? 'wide' : ''}>
              <textarea
                rows={1}
                className={`cell growing${row.isLine ? ' line' : ''}${isGap ? ' gap' : ''}`}
                lang={language}
                dir={RTL.has(language) ? 'rtl' : 'auto'}
                aria-label={`${formatLanguage(language)}: ${source}`}
                placeholder={source}
                readOnly={!mayEdit}
                value={written}
                // It grows so that a long text is whole on a phone, and stays one line all the same.
                onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
                onChange={({ target }) => onWrite(row.path, language, target.value.replace(/[\r\n]+/g, ' '))}
              />
            </td>
          )
        })}
      </tr>
    )
  },
  (before, after) =>
    before.row.text === after.row.text &&
    before.row.path === after.row.path &&
    before.source === after.source &&
    before.narrow === after.narrow &&
    before.mayEdit === after.mayEdit &&
    before.languages.join() === after.languages.join(),
)
