import { useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { useWords } from '../../../words/words.ts'
import type { Setting } from '../../../../../src/survey-engine/types/settings.ts'
import { addLine, changeLine, moveLine, removeLine } from '../model/edits.ts'
import type { LocalizedText, Question } from '../model/draft.ts'
import type { Problem } from '../model/problems.ts'
import { textIn, withText } from '../model/texts.ts'
import { useIssueWords } from '../issue-words.ts'
import { PictureOf } from '../../../looks/picture.tsx'
import { useBuilder, useDraft, useMayEdit } from '../use-builder.ts'
import { settingWord } from '../sayings.ts'

interface Props {
  question: Question
  name: string
  setting: Extract<Setting, { kind: 'lines' }>
  problems: Problem[]
}
interface Line {
  id: string
  label: LocalizedText
  image_url?: string
}

/** Choices, rows or columns. Enter adds the next one, Alt and an arrow moves one, and a pasted list becomes lines. */
export function Lines({ question, name, setting, problems }: Props) {
  const words = useWords()
  const builder = useBuilder()
  const { default_language } = useDraft()
  const mayEdit = useMayEdit()
  const issueWords = useIssueWords()
  const list = useRef<HTMLOListElement>(null)
  const [opened, setOpened] = useState<number | null>(null)
  const lines = ((question as unknown as Record<string, unknown>)[name] as Line[] | undefined) ?? []
  const errorAt = (path: string) => {
    const found = problems.find(({ member }) => member === path)
    return found && issueWords(found)
  }
  const { id } = question
  const focus = (at: number) =>
    setTimeout(() => list.current?.querySelectorAll<HTMLInputElement>('input.label')[at]?.focus())
  const write = (at: number, written: string) =>
    builder.edit(
      (draft) => changeLine(draft, id, name, at, { label: withText(lines[at]?.label, written, draft) }),
      `${id}.${name}.${at}`,
    )
  const add = () => {
    builder.edit((draft) => addLine(draft, id, name, ''))
    void focus(lines.length)
  }
  const press = (event: KeyboardEvent, at: number) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Enter') {
      event.preventDefault()
      if (at === lines.length - 1) add()
      else void focus(at + 1)
    } else if (by !== 0 && event.altKey) {
      event.preventDefault()
      builder.edit((draft) => moveLine(draft, id, name, at, at + by))
      void focus(Math.max(0, Math.min(at + by, lines.length - 1)))
    } else if (by !== 0) {
      event.preventDefault()
      void focus(Math.max(0, Math.min(at + by, lines.length - 1)))
    } else if (event.key === 'Backspace' && textIn(lines[at]?.label, default_language) === '') {
      event.preventDefault()
      builder.edit((draft) => removeLine(draft, id, name, at))
      void focus(Math.max(0, at - 1))
    }
  }
  const paste = (event: ClipboardEvent, at: number) => {
    const pasted = event.clipboardData
      .getData('text')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (pasted.length < 2) return
    event.preventDefault()
    builder.edit((draft) => {
      const [first = '', ...rest] = pasted
      const written = changeLine(draft, id, name, at, { label: withText(lines[at]?.label, first, draft) })
      return rest
        .slice(0, setting.most - lines.length)
        .reduce((before, label) => addLine(before, id, name, label), written)
    })
  }
  const error = errorAt(name)
  return (
    <fieldset className="block lines" disabled={!mayEdit}>
      <legend className="strong">{settingWord(name, words)}</legend>
      <ol ref={list}>
        {lines.map((line, at) => {
          const wrong =
            errorAt(`${name}.${at}.label`) ?? errorAt(`${name}.${at}.id`) ?? errorAt(`${name}.${at}.image_url`)
          return (
            <li key={line.id}>
              <div className="line">
                {setting.hasPictures && (
                  <PictureOf
                    url={line.image_url}
                    onChange={(image_url) => builder.edit((draft) => changeLine(draft, id, name, at, { image_url }))}
                  />
                )}
                <input
                  className="input label"
                  aria-label={words('build:line', { number: at + 1 })}
                  aria-invalid={wrong !== undefined || undefined}
                  lang={default_language}
                  dir="auto"
                  value={textIn(line.label, default_language)}
                  onChange={({ target }) => write(at, target.value)}
                  onKeyDown={(event) => press(event, at)}
                  onPaste={(event) => paste(event, at)}
                />
                <button
                  type="button"
                  className="mono faint"
                  aria-label={words('build:idIs', { id: line.id })}
                  aria-expanded={opened === at}
                  onClick={() => setOpened(opened === at ? null : at)}
                >
                  {line.id}
                </button>
                <Button
                  look="quiet"
                  size="square"
                  aria-label={words('build:removeLine', { number: at + 1 })}
                  onClick={() => builder.edit((draft) => removeLine(draft, id, name, at))}
                >
                  <Icon name="x" isSmall />
                </Button>
              </div>
              {opened === at && (
                <label className="lineId">
                  {words('build:id')}
                  <input
                    className="input mono"
                    dir="ltr"
                    value={line.id}
                    onChange={({ target }) =>
                      /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(target.value) &&
                      builder.edit(
                        (draft) => changeLine(draft, id, name, at, { id: target.value }),
                        `${id}.${name}.${at}.id`,
                      )
                    }
                  />
                </label>
              )}
              {wrong !== undefined && <p className="wrong">{wrong}</p>}
            </li>
          )
        })}
      </ol>
      {error !== undefined && <p className="wrong">{error}</p>}
      {lines.length < setting.most && (
        <Button look="quiet" onClick={add}>
          <Icon name="plus" isSmall />
          {words(`build:add.${name}`)}
        </Button>
      )}
    </fieldset>
  )
}
