import { useState } from 'react'
import { Icon } from '../../../../ui/icon.tsx'
import { useWords } from '../../../words/words.ts'
import {
  conditionOf,
  newTest,
  operatorsFor,
  questionsBefore,
  sentenceOf,
  subjectOf,
  usualValue,
  valueKind,
  variablesOf,
  type Condition,
  type ConditionLeaf,
  type Operator,
  type Subject,
} from '../model/logic.ts'
import { shown } from '../model/texts.ts'
import { TestValue } from './test-value.tsx'
import { useDraft, useMayEdit } from '../use-builder.ts'

interface Props {
  condition: Condition
  /** Of the question after which it is tested. Tests see it and those before it. */
  place: number
  onChange: (condition: Condition, key?: string) => void
}

/** A condition as words, each of which is a choice. One with groups within groups is shown as JSON. */
export function ConditionSentence({ condition, place, onChange }: Props) {
  const words = useWords()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const sentence = sentenceOf(condition)
  if (!sentence) return <ConditionJson condition={condition} onChange={onChange} />
  const { join, tests } = sentence
  const set = (at: number, test: ConditionLeaf | undefined, key?: string) =>
    onChange(
      conditionOf({ join, tests: tests.flatMap((each, index) => (index !== at ? [each] : test ? [test] : [])) }),
      key && `${at}.${key}`,
    )
  return (
    <>
      {tests.map((test, at) => (
        <span key={at} className="test">
          {at > 0 &&
            (at === 1 ? (
              <>
                {' '}
                <select
                  className="token"
                  aria-label={words('build:join')}
                  value={join}
                  onChange={({ target }) => onChange(conditionOf({ join: target.value as 'all' | 'any', tests }))}
                >
                  <option value="all">{words('build:and')}</option>
                  <option value="any">{words('build:or')}</option>
                </select>{' '}
              </>
            ) : (
              ` ${words(join === 'all' ? 'build:and' : 'build:or')} `
            ))}
          <Test test={test} place={place} onChange={(next, key) => set(at, next, key)} />
          {tests.length > 1 && mayEdit && (
            <button
              type="button"
              className="tiny"
              aria-label={words('build:removeTest', { number: at + 1 })}
              onClick={() => set(at, undefined)}
            >
              <Icon name="x" isSmall />
            </button>
          )}
        </span>
      ))}
      {mayEdit && (
        <button
          type="button"
          className="tiny"
          aria-label={words('build:addTest')}
          title={words('build:addTest')}
          onClick={() => {
            const last = tests.at(-1)
            if (last) onChange(conditionOf({ join, tests: [...tests, newTest(subjectOf(last), draft)] }))
          }}
        >
          <Icon name="plus" isSmall />
        </button>
      )}
    </>
  )
}

interface TestProps {
  test: ConditionLeaf
  place: number
  onChange: (test: ConditionLeaf, key?: string) => void
}

function Test({ test, place, onChange }: TestProps) {
  const words = useWords()
  const draft = useDraft()
  const subject = subjectOf(test)
  const operators = operatorsFor(subject, draft)
  const questions = questionsBefore(draft, place === -1 ? draft.questions.length : place)
  const setOperator = (op: Operator) => {
    const before = valueKind(test, draft)
    const next = { ...subject, op } as ConditionLeaf
    const kind = valueKind(next, draft)
    const isSame = JSON.stringify(before) === JSON.stringify(kind)
    const value = isSame ? test.value : usualValue(kind)
    onChange({ ...next, ...(value !== undefined && { value }) })
  }
  return (
    <>
      <select
        className="token"
        aria-label={words('build:subject')}
        value={keyOf(subject)}
        onChange={({ target }) => onChange(newTest(fromKey(target.value), draft))}
      >
        {'question' in subject && !questions.some(({ id }) => id === subject.question) && (
          <option value={keyOf(subject)}>{subject.question}</option>
        )}
        <optgroup label={words('build:insert.answers')}>
          {questions.map(({ id, title }) => (
            <option key={id} value={`question:${id}`}>
              {shown(title, draft) || id}
            </option>
          ))}
        </optgroup>
        {draft.custom_fields.length > 0 && (
          <optgroup label={words('build:insert.fields')}>
            {draft.custom_fields.map((name) => (
              <option key={name} value={`custom:${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
        {variablesOf(draft).length > 0 && (
          <optgroup label={words('build:insert.variables')}>
            {variablesOf(draft).map((name) => (
              <option key={name} value={`variable:${name}`}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
      </select>{' '}
      <select
        className="token"
        aria-label={words('build:operator')}
        value={test.op}
        onChange={({ target }) => setOperator(target.value as Operator)}
      >
        {[...new Set([...operators, test.op])].map((op) => (
          <option key={op} value={op}>
            {words(`build:ops.${op}`)}
          </option>
        ))}
      </select>{' '}
      <TestValue test={test} onChange={(value) => onChange({ ...test, value }, 'value')} />
    </>
  )
}

function keyOf(subject: Subject): string {
  if ('question' in subject) return `question:${subject.question}`
  return 'custom' in subject ? `custom:${subject.custom}` : `variable:${subject.variable}`
}

function fromKey(key: string): Subject {
  const name = key.slice(key.indexOf(':') + 1)
  if (key.startsWith('question:')) return { question: name }
  return key.startsWith('custom:') ? { custom: name } : { variable: name }
}

function ConditionJson({ condition, onChange }: Pick<Props, 'condition' | 'onChange'>) {
  const words = useWords()
  const [text, setText] = useState(() => JSON.stringify(condition, null, 2))
  const [isWrong, setWrong] = useState(false)
  return (
    <span className="json">
      <span className="soft">{words('build:nested')}</span>
      <textarea
        className="input mono"
        dir="ltr"
        rows={8}
        aria-label={words('build:nested')}
        aria-invalid={isWrong || undefined}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          try {
            onChange(JSON.parse(target.value) as Condition, 'json')
            setWrong(false)
          } catch {
            setWrong(true)
          }
        }}
      />
    </span>
  )
}
