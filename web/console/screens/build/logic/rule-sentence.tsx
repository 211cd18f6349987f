import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { useWords } from '../../../words/words.ts'
import { ConditionSentence } from './condition-sentence.tsx'
import type { Rule } from '../model/draft.ts'
import { changeItem, without } from '../model/edits.ts'
import { isWay, questionsAfter, variablesOf, withCondition, type Action } from '../model/logic.ts'
import { shown } from '../model/texts.ts'
import { useIssueWords } from '../issue-words.ts'
import { useBuild, useBuilder, useDraft, useMayEdit } from '../use-builder.ts'

type Verb = Action['action']
const ACTS: Verb[] = ['show', 'hide', 'require', 'calculate', 'jump', 'end']

/** If …, then …: a rule. It leads one way at most. */
export function RuleSentence({ rule, at, anchor }: { rule: Rule; at: number; anchor: string | null }) {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const mayEdit = useMayEdit()
  const problems = useBuild((state) => state.problems)
  const issueWords = useIssueWords()
  const own = problems.filter(({ path }) => path === `logic.${at}` || path.startsWith(`logic.${at}.`))
  const place = draft.questions.findIndex(({ id }) => id === anchor)
  const later = questionsAfter(draft, place)
  const set = (next: Rule | undefined, key?: string) =>
    builder.edit((before) => changeItem(before, 'logic', at, next), key && `logic.${at}.${key}`)
  const setAction = (index: number, action: Action | undefined, key?: string) => {
    const then = rule.then.flatMap((each, place) => (place !== index ? [each] : action ? [action] : []))
    set(then.length === 0 ? undefined : { ...rule, then }, key)
  }
  const usual = (verb: Verb): Action | null => {
    const next = later[0]?.id
    if (verb === 'end') return { action: 'end' }
    if (verb === 'calculate')
      return { action: 'calculate', variable: variablesOf(draft)[0] ?? 'points', operation: 'add', value: 1 }
    if (next === undefined) return null
    return verb === 'jump' ? { action: 'jump', to: next } : { action: verb, question: next }
  }
  const hasWay = rule.then.some(isWay)
  const possible = ACTS.filter((verb) => usual(verb) !== null && !(hasWay && (verb === 'jump' || verb === 'end')))
  return (
    <fieldset className="sentence" disabled={!mayEdit} aria-invalid={own.length > 0 || undefined}>
      <legend className="unseen">{words('build:ruleNumber', { number: at + 1 })}</legend>
      {words('build:if')}{' '}
      <ConditionSentence
        condition={rule.when}
        place={place}
        onChange={(when, key) =>
          set(anchor === null ? { ...rule, when } : withCondition(rule, when, anchor, draft), key)
        }
      />
      <span>{words('build:comma')} </span>
      {rule.then.map((action, index) => (
        <span key={index} className="act">
          {index > 0 && <> {words('build:and')} </>}
          <select
            className="token"
            aria-label={words('build:act')}
            value={action.action}
            onChange={({ target }) => {
              const next = usual(target.value as Verb)
              if (next) setAction(index, next)
            }}
          >
            {ACTS.filter(
              (verb) => verb === action.action || possible.includes(verb) || (isWay(action) && usual(verb) !== null),
            ).map((verb) => (
              <option key={verb} value={verb}>
                {words(`build:acts.${verb}`)}
              </option>
            ))}
          </select>
          <ActionTarget
            action={action}
            onChange={(next, key) => setAction(index, next, key)}
            later={later.map(({ id }) => id)}
          />
          {rule.then.length > 1 && mayEdit && (
            <button
              type="button"
              className="tiny"
              aria-label={words('build:removeAct', { number: index + 1 })}
              onClick={() => setAction(index, undefined)}
            >
              <Icon name="x" isSmall />
            </button>
          )}
        </span>
      ))}
      {mayEdit && (
        <span className="more">
          {possible.length > 0 && (
            <Button
              look="quiet"
              size="square"
              aria-label={words('build:addAct')}
              onClick={() => {
                const action = usual(possible[0] ?? 'end')
                if (action) set({ ...rule, then: [...rule.then, action] })
              }}
            >
              <Icon name="plus" isSmall />
            </Button>
          )}
          <Button
            look="quiet"
            size="square"
            aria-label={words('build:removeRule', { number: at + 1 })}
            onClick={() => set(undefined)}
          >
            <Icon name="trash" isSmall />
          </Button>
        </span>
      )}
      {own.map((problem) => (
        <p key={problem.path + problem.message} className="wrong" lang={issueWords.languageOf(problem)}>
          {issueWords(problem)}
        </p>
      ))}
    </fieldset>
  )
}

interface TargetProps {
  action: Action
  later: string[]
  onChange: (action: Action, key?: string) => void
}

const OPERATIONS = ['set', 'add', 'subtract', 'multiply', 'divide'] as const

function ActionTarget({ action, later, onChange }: TargetProps) {
  const words = useWords()
  const draft = useDraft()
  if (action.action === 'end')
    return draft.endings.length === 0 ? null : (
      <select
        className="token target"
        aria-label={words('build:ending')}
        value={action.ending ?? ''}
        onChange={({ target }) => onChange(without({ ...action, ending: target.value || undefined }) as Action)}
      >
        <option value="">{words('build:usualEnding')}</option>
        {draft.endings.map((ending) => (
          <option key={ending.id} value={ending.id}>
            {shown(ending.title, draft) || ending.id}
          </option>
        ))}
      </select>
    )
  if (action.action === 'calculate') {
    const { value } = action
    const from = typeof value === 'object' ? ('question' in value ? `q:${value.question}` : `v:${value.variable}`) : ''
    return (
      <>
        <input
          className="token"
          aria-label={words('build:variable')}
          list="variables"
          dir="ltr"
          size={Math.max(4, action.variable.length)}
          value={action.variable}
          onChange={({ target }) =>
            /^[A-Za-z]\w{0,63}$/.test(target.value) && onChange({ ...action, variable: target.value }, 'variable')
          }
        />
        <datalist id="variables">
          {variablesOf(draft).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <select
          className="token"
          aria-label={words('build:operation')}
          value={action.operation}
          onChange={({ target }) => onChange({ ...action, operation: target.value as (typeof OPERATIONS)[number] })}
        >
          {OPERATIONS.map((each) => (
            <option key={each} value={each}>
              {words(`build:operations.${each}`)}
            </option>
          ))}
        </select>
        <select
          className="token"
          aria-label={words('build:valueFrom')}
          value={from}
          onChange={({ target: { value: next } }) => {
            if (next.startsWith('q:')) onChange({ ...action, value: { question: next.slice(2) } })
            else if (next.startsWith('v:')) onChange({ ...action, value: { variable: next.slice(2) } })
            else onChange({ ...action, value: 1 })
          }}
        >
          <option value="">{words('build:fixed')}</option>
          {draft.questions.map(({ id, title }) => (
            <option key={id} value={`q:${id}`}>
              {shown(title, draft) || id}
            </option>
          ))}
          {variablesOf(draft).map((name) => (
            <option key={name} value={`v:${name}`}>
              {name}
            </option>
          ))}
        </select>
        {typeof value !== 'object' && (
          <input
            className="token"
            aria-label={words('build:value')}
            size={Math.max(3, String(value).length)}
            value={String(value)}
            onChange={({ target }) => {
              const number = Number(target.value)
              const isNumber = target.value.trim() !== '' && Number.isFinite(number) && String(number) === target.value
              onChange({ ...action, value: isNumber ? number : target.value }, 'value')
            }}
          />
        )}
      </>
    )
  }
  const present = action.action === 'jump' ? action.to : action.question
  const ids = later.includes(present) ? later : [present, ...later]
  return (
    <select
      className="token target"
      aria-label={words('build:question')}
      value={present}
      onChange={({ target }) =>
        onChange(action.action === 'jump' ? { ...action, to: target.value } : { ...action, question: target.value })
      }
    >
      {ids.map((id) => {
        const question = draft.questions.find((each) => each.id === id)
        return (
          <option key={id} value={id}>
            {shown(question?.title, draft) || id}
          </option>
        )
      })}
    </select>
  )
}
