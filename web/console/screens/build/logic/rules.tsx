import { useState, type ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { Labelled, Switch } from '../../../../ui/form.tsx'
import { Note, Tag } from '../../../../ui/parts.tsx'
import { useWords } from '../../../words/words.ts'
import { ConditionSentence } from './condition-sentence.tsx'
import type { Draft } from '../model/draft.ts'
import { setMember, without } from '../model/edits.ts'
import { newTest } from '../model/logic.ts'
import { shown } from '../model/texts.ts'
import { useIssueWords } from '../issue-words.ts'
import { Targeting } from './targeting.tsx'
import { useBuild, useBuilder, useDraft, useMayEdit } from '../use-builder.ts'
import { METRICS } from '../../../../../src/survey-engine/model/definition.ts'

/** Sets who may answer and when, and what is done with an answer. */
export function Rules() {
  const words = useWords()
  const builder = useBuilder()
  const draft = useDraft()
  const head = useBuild((state) => state.head)
  const mayEdit = useMayEdit()
  const problems = useBuild((state) => state.problems)
  const issueWords = useIssueWords()
  const set = <Name extends keyof Draft>(name: Name, value: Draft[Name] | undefined) =>
    builder.edit((before) => setMember(before, name, value), name)
  const errorOf = (path: string) => {
    const found = problems.find((each) => each.path === path)
    return found && issueWords(found)
  }
  const isAnonymous = draft.privacy === 'anonymous'
  const contacts = draft.questions.filter(({ type }) => type === 'contact')
  const consents = draft.questions.filter(({ type }) => type === 'consent')
  return (
    <fieldset className="build-column settings" disabled={!mayEdit}>
      <Part title={words('build:parts.survey')}>
        <Labelled label={words('build:name')} hint={words('build:nameHint')} error={errorOf('name')}>
          {(control) => (
            <input
              {...control}
              className="input"
              maxLength={200}
              value={draft.name}
              onChange={({ target }) => set('name', target.value)}
            />
          )}
        </Labelled>
        <Labelled label={words('build:metric')} error={errorOf('metric')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={draft.metric ?? ''}
              onChange={({ target }) => set('metric', (target.value || null) as Draft['metric'])}
            >
              <option value="">{words('build:none')}</option>
              {METRICS.map((each) => (
                <option key={each} value={each}>
                  {each.toUpperCase()}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      </Part>
      <Part title={words('build:parts.dates')}>
        <Moment
          label={words('build:starts')}
          value={draft.starts_at}
          error={errorOf('starts_at')}
          onChange={(value) => set('starts_at', value)}
        />
        <Moment
          label={words('build:closes')}
          value={draft.closes_at}
          error={errorOf('closes_at')}
          onChange={(value) => set('closes_at', value)}
        />
      </Part>
      <Part title={words('build:parts.once')}>
        <Labelled label={words('build:dedupe')} error={errorOf('dedupe')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={draft.dedupe}
              onChange={({ target }) => set('dedupe', target.value as Draft['dedupe'])}
            >
              {(['none', 'device', 'contact', 'single_use'] as const).map((each) => (
                <option key={each} value={each}>
                  {words(`build:dedupes.${each}`)}
                </option>
              ))}
            </select>
          )}
        </Labelled>
        {draft.dedupe === 'single_use' && (
          <Labelled label={words('build:tokens')}>
            {(control) => (
              <select
                {...control}
                className="input"
                value={draft.single_use_tokens ?? 'issued'}
                onChange={({ target }) => set('single_use_tokens', target.value === 'any' ? 'any' : undefined)}
              >
                <option value="issued">{words('build:tokensOf.issued')}</option>
                <option value="any">{words('build:tokensOf.any')}</option>
              </select>
            )}
          </Labelled>
        )}
        <Switch
          label={words('build:changes')}
          isOn={draft.allow_changes ?? draft.dedupe !== 'single_use'}
          onChange={(isOn) => set('allow_changes', isOn)}
        />
      </Part>
      <Part title={words('build:parts.privacy')}>
        <Switch
          label={words('build:anonymous')}
          isOn={isAnonymous}
          onChange={(isOn) => set('privacy', isOn ? 'anonymous' : 'open')}
        />
        <p className="soft">{words('build:anonymousText')}</p>
        {errorOf('privacy') !== undefined && <Note tone="warn">{errorOf('privacy')}</Note>}
        {head.version > 0 && <p className="faint">{words('build:privacyStays')}</p>}
        <Switch
          label={words('build:proof')}
          isOn={draft.proof_of_work === true}
          onChange={(isOn) => set('proof_of_work', isOn)}
        />
        <p className="soft">{words('build:proofText')}</p>
        {errorOf('proof_of_work') !== undefined && <Note tone="warn">{errorOf('proof_of_work')}</Note>}
      </Part>
      <Part title={words('build:parts.targeting')}>
        <Targeting
          targeting={draft.targeting}
          onChange={(targeting) => set('targeting', targeting)}
          errorOf={errorOf}
        />
      </Part>
      <Part title={words('build:parts.lead')}>
        {contacts.length === 0 ? (
          <p className="soft">{words('build:leadNeeds')}</p>
        ) : (
          <>
            <Labelled label={words('build:leadContact')} error={errorOf('lead_capture.contact')}>
              {(control) => (
                <select
                  {...control}
                  className="input"
                  value={draft.lead_capture?.contact ?? ''}
                  onChange={({ target }) =>
                    set(
                      'lead_capture',
                      target.value === '' ? undefined : { ...draft.lead_capture, contact: target.value },
                    )
                  }
                >
                  <option value="">{words('build:noLead')}</option>
                  {contacts.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {shown(title, draft) || id}
                    </option>
                  ))}
                </select>
              )}
            </Labelled>
            {draft.lead_capture && (
              <>
                <Labelled label={words('build:leadConsent')} error={errorOf('lead_capture.consent')}>
                  {(control) => (
                    <select
                      {...control}
                      className="input"
                      value={draft.lead_capture?.consent ?? ''}
                      onChange={({ target }) =>
                        set(
                          'lead_capture',
                          without({
                            ...draft.lead_capture,
                            consent: target.value || undefined,
                          } as never) as Draft['lead_capture'],
                        )
                      }
                    >
                      <option value="">{words('build:none')}</option>
                      {consents.map(({ id, title }) => (
                        <option key={id} value={id}>
                          {shown(title, draft) || id}
                        </option>
                      ))}
                    </select>
                  )}
                </Labelled>
                <Switch
                  label={words('build:leadWhen')}
                  isOn={draft.lead_capture.when !== undefined}
                  onChange={(isOn) =>
                    set(
                      'lead_capture',
                      without({
                        ...draft.lead_capture,
                        when: isOn ? newTest({ question: draft.lead_capture?.contact ?? '' }, draft) : undefined,
                      } as never) as Draft['lead_capture'],
                    )
                  }
                />
                {draft.lead_capture.when && (
                  <div className="sentence">
                    {words('build:if')}{' '}
                    <ConditionSentence
                      condition={draft.lead_capture.when}
                      place={-1}
                      onChange={(when) => draft.lead_capture && set('lead_capture', { ...draft.lead_capture, when })}
                    />
                  </div>
                )}
              </>
            )}
          </>
        )}
      </Part>
      <Part title={words('build:parts.fields')}>
        <p className="soft">{words('build:fieldsText')}</p>
        <Names
          label={words('build:field')}
          names={draft.custom_fields}
          pattern={/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/}
          onChange={(names) => set('custom_fields', names)}
        />
        <p className="soft">{words('build:variablesText')}</p>
        <Names
          label={words('build:variable')}
          names={Object.keys(draft.variables ?? {})}
          pattern={/^[A-Za-z]\w{0,63}$/}
          onChange={(names) =>
            set(
              'variables',
              names.length === 0
                ? undefined
                : Object.fromEntries(names.map((name) => [name, draft.variables?.[name] ?? 0])),
            )
          }
        />
      </Part>
    </fieldset>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="part">
      <h2>{title}</h2>
      <div className="stack">{children}</div>
    </section>
  )
}

interface MomentProps {
  label: string
  value: string | null
  error: string | undefined
  onChange: (value: string | null) => void
}

/** A moment in the time zone of this device. Empty means none. */
function Moment({ label, value, error, onChange }: MomentProps) {
  const at = value === null ? null : new Date(value)
  const local = at && new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  return (
    <Labelled label={label} error={error}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          className="input narrow-input"
          value={local ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : new Date(target.value).toISOString())}
        />
      )}
    </Labelled>
  )
}

interface NamesProps {
  label: string
  names: string[]
  pattern: RegExp
  onChange: (names: string[]) => void
}

function Names({ label, names, pattern, onChange }: NamesProps) {
  const words = useWords()
  const [typed, setTyped] = useState('')
  const isWrong = typed !== '' && (!pattern.test(typed) || names.includes(typed))
  const add = () => {
    if (typed === '' || isWrong) return
    onChange([...names, typed])
    setTyped('')
  }
  return (
    <div className="names">
      {names.map((name) => (
        <Tag
          key={name}
          removeLabel={words('build:removeValue', { value: name })}
          onRemove={() => onChange(names.filter((each) => each !== name))}
        >
          {name}
        </Tag>
      ))}
      <span className="row">
        <input
          className="input mono"
          dir="ltr"
          aria-label={label}
          placeholder={label}
          aria-invalid={isWrong || undefined}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
        <Button disabled={typed === '' || isWrong} onClick={add}>
          <Icon name="plus" isSmall />
          {words('build:addVerb')}
        </Button>
      </span>
    </div>
  )
}
