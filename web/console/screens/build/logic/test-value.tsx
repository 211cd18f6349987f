import { useState } from 'react'
import { NumberInput } from '../../../../ui/form.tsx'
import { Tag } from '../../../../ui/parts.tsx'
import { useWords } from '../../../words/words.ts'
import { valueKind, type ConditionLeaf, type ConditionValue } from '../model/logic.ts'
import { shown } from '../model/texts.ts'
import { useDraft } from '../use-builder.ts'

/** The value that a test compares with, as its subject and its operator ask for it. */
export function TestValue({ test, onChange }: { test: ConditionLeaf; onChange: (value: ConditionValue) => void }) {
  const words = useWords()
  const draft = useDraft()
  const kind = valueKind(test, draft)
  const nameOf = useNameOf(test)
  const { value } = test
  switch (kind.kind) {
    case 'none':
      return null
    case 'number': {
      const numbers = Array.isArray(value) ? value : [value]
      return (
        <>
          {Array.from({ length: kind.count }, (_, at) => (
            <span key={at}>
              {at > 0 && ` ${words('build:and')} `}
              <NumberInput
                className="token"
                aria-label={words(at === 0 ? 'build:value' : 'build:upTo')}
                step="any"
                value={numbers[at] === undefined || numbers[at] === '' ? null : Number(numbers[at])}
                {...(kind.min !== undefined && { min: kind.min })}
                {...(kind.max !== undefined && { max: kind.max })}
                onNumber={(number) => {
                  if (number === null) return
                  onChange(
                    kind.count === 1
                      ? number
                      : [0, 1].map((each) => (each === at ? number : Number(numbers[each] ?? 0))),
                  )
                }}
              />
            </span>
          ))}
        </>
      )
    }
    case 'day': {
      const days = Array.isArray(value) ? value : [value]
      return (
        <>
          {Array.from({ length: kind.count }, (_, at) => (
            <input
              key={at}
              type="date"
              className="token"
              aria-label={words(at === 0 ? 'build:value' : 'build:upTo')}
              value={String(days[at] ?? '')}
              onChange={({ target }) =>
                onChange(
                  kind.count === 1
                    ? target.value
                    : [0, 1].map((each) => (each === at ? target.value : String(days[each] ?? ''))),
                )
              }
            />
          ))}
        </>
      )
    }
    case 'yes':
      return (
        <select
          className="token"
          aria-label={words('build:value')}
          value={String(value)}
          onChange={({ target }) => onChange(target.value === 'true')}
        >
          <option value="true">{words('build:yes')}</option>
          <option value="false">{words('build:no')}</option>
        </select>
      )
    case 'pick': {
      if (!kind.isMany)
        return (
          <select
            className="token"
            aria-label={words('build:value')}
            value={String(value ?? '')}
            onChange={({ target }) => onChange(target.value)}
          >
            {[...new Set([...kind.values, String(value ?? '')])]
              .filter((each) => each !== '')
              .map((each) => (
                <option key={each} value={each}>
                  {nameOf(each)}
                </option>
              ))}
          </select>
        )
      const chosen = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String)
      const isNumber = Array.isArray(value) && value.some((each) => typeof each === 'number')
      const tell = (next: string[]) =>
        onChange(isNumber || kind.values.every((each) => /^\d+$/.test(each)) ? next.map(Number) : next)
      return (
        <>
          {chosen.map((each) => (
            <Tag
              key={each}
              removeLabel={words('build:removeValue', { value: nameOf(each) })}
              {...(chosen.length > 1 && { onRemove: () => tell(chosen.filter((other) => other !== each)) })}
            >
              {nameOf(each)}
            </Tag>
          ))}
          <select
            className="token"
            aria-label={words('build:addValue')}
            value=""
            onChange={({ target }) => target.value !== '' && tell([...chosen, target.value])}
          >
            <option value="">+</option>
            {kind.values
              .filter((each) => !chosen.includes(each))
              .map((each) => (
                <option key={each} value={each}>
                  {nameOf(each)}
                </option>
              ))}
          </select>
        </>
      )
    }
    case 'texts':
      return <Texts value={value} onChange={onChange} />
    case 'text':
      return (
        <input
          className="token"
          aria-label={words('build:value')}
          dir="auto"
          size={Math.min(30, Math.max(5, String(value ?? '').length))}
          value={String(value ?? '')}
          onChange={({ target }) => onChange(target.value)}
        />
      )
  }
}

/** Several values, with commas between them. Typed text stays until the field is left. */
function Texts({ value, onChange }: { value: ConditionValue | undefined; onChange: (value: ConditionValue) => void }) {
  const words = useWords()
  const joined = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      className="token"
      aria-label={words('build:values')}
      dir="auto"
      size={Math.min(40, Math.max(8, (typed ?? joined).length))}
      value={typed ?? joined}
      onBlur={() => setTyped(null)}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(target.value.split(',').map((each) => each.trim()))
      }}
    />
  )
}

function useNameOf(test: ConditionLeaf): (value: string) => string {
  const words = useWords()
  const draft = useDraft()
  const question = 'question' in test ? draft.questions.find(({ id }) => id === test.question) : undefined
  return (value) => {
    if (!question) return value
    if (question.type === 'matrix') {
      const [row = '', column = ''] = value.split(':')
      const label = (lines: Array<{ id: string; label: Parameters<typeof shown>[0] }>, id: string) =>
        shown(lines.find((each) => each.id === id)?.label, draft) || id
      return `${label(question.rows, row)}: ${label(question.columns, column)}`
    }
    if (!('choices' in question)) return value
    const choice = question.choices.find(({ id }) => id === value)
    if (!choice) return value === 'other' ? words('build:other') : value
    return shown(choice.label, draft) || choice.id
  }
}
