import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiProblem, type Schemas } from '../../../api/client.ts'
import { Field } from '../../../ui/field.tsx'
import { Note } from '../../../ui/parts.tsx'
import type { Filter } from '../../app/list-state.ts'
import { membersQuery } from '../../app/me.ts'
import { Problem } from '../../frame/failure.tsx'
import { useFields } from '../../list/filter/fields.ts'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { PRIORITIES } from '../../list/states.ts'
import { useWords } from '../../words/words.ts'
import { leavesScaleOpen } from './rule-means.ts'
import { METRICS, type Metric } from '../../../../src/survey-engine/model/definition.ts'

type Drop = {
  on: 'score_drop'
  metric: Metric
  window_days: number
  drop: number
  min_n: number
}
export type Trigger = { on: 'response'; filter: Filter } | Drop
/** A rule as the form holds it. */
export type Draft = Omit<Schemas['AlertRule'], 'id' | 'created_at' | 'updated_at' | 'trigger'> & { trigger: Trigger }

const DROP: Drop = { on: 'score_drop', metric: 'nps', window_days: 7, drop: 10, min_n: 30 }
const MINUTES = 60

interface Part {
  draft: Draft
  onChange: (part: Partial<Draft>) => void
}
interface Props extends Part {
  error: Error | null
  onSubmit: () => void
}

/** When an alert opens, who gets it, and by when. */
export function RuleForm({ draft, error, onChange, onSubmit }: Props) {
  const words = useWords()
  const issues = error instanceof ApiProblem ? error.issues : []
  const ofName = issues.find(({ path }) => path === 'name')?.message
  return (
    <form
      id="alert-rule"
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // The filter has a form of its own inside.
        if (event.target === event.currentTarget) onSubmit()
      }}
    >
      {error && ofName === undefined && <Problem error={error} />}
      <Field
        label={words('list:fields.name')}
        value={draft.name}
        maxLength={200}
        required
        error={ofName}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <When draft={draft} onChange={onChange} />
      <Who draft={draft} onChange={onChange} />
    </form>
  )
}

function When({ draft, onChange }: Part) {
  const words = useWords()
  const { trigger } = draft
  const [only] = draft.survey_ids
  const fields = useFields('responses', draft.survey_ids.length === 1 ? only : undefined)
  const surveys = useQuery(surveyNamesQuery)
  const change = (part: Partial<Drop>) => trigger.on === 'score_drop' && onChange({ trigger: { ...trigger, ...part } })
  return (
    <>
      <fieldset className="field">
        <legend className="label">{words('alerts:when')}</legend>
        <div className="segmented" style={{ justifySelf: 'start' }}>
          {(['response', 'score_drop'] as const).map((on) => (
            <button
              key={on}
              type="button"
              aria-pressed={trigger.on === on}
              onClick={() =>
                on !== trigger.on && onChange({ trigger: on === 'score_drop' ? DROP : { on, filter: { all: [] } } })
              }
            >
              {words(`alerts:on.${on}`)}
            </button>
          ))}
        </div>
      </fieldset>
      {trigger.on === 'response' ? (
        <div className="field">
          <span className="label">{words('alerts:which')}</span>
          <FilterBar
            fields={fields}
            filter={trigger.filter}
            onChange={(filter) => onChange({ trigger: { on: 'response', filter: filter ?? { all: [] } } })}
          />
          {leavesScaleOpen(trigger.filter, draft.survey_ids) && <Note tone="warn">{words('alerts:anyMetric')}</Note>}
        </div>
      ) : (
        <>
          <Choice
            label={words('list:fields.metric')}
            value={trigger.metric}
            onChange={(metric) => change({ metric: metric as Drop['metric'] })}
          >
            {METRICS.map((metric) => (
              <option key={metric} value={metric}>
                {words(`list:values.${metric}`)}
              </option>
            ))}
          </Choice>
          {(['drop', 'window_days', 'min_n'] as const).map((name) => (
            <Field
              key={name}
              type="number"
              min={1}
              label={words(`alerts:drops.${name}`)}
              value={trigger[name]}
              onChange={({ target }) => change({ [name]: Number(target.value) })}
            />
          ))}
        </>
      )}
      <Choice
        label={words('list:fields.survey_id')}
        value={draft.survey_ids.length > 1 ? 'several' : (only ?? '')}
        onChange={(id) => id !== 'several' && onChange({ survey_ids: id === '' ? [] : [id] })}
      >
        <option value="">{words('alerts:allSurveys')}</option>
        {draft.survey_ids.length > 1 && <option value="several">{words('alerts:several')}</option>}
        {(surveys.data?.data ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Choice>
    </>
  )
}

function Who({ draft, onChange }: Part) {
  const words = useWords()
  const members = useQuery(membersQuery)
  const people = members.data?.data ?? []
  const { notify } = draft
  const options = people.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))
  return (
    <>
      <Choice
        label={words('list:fields.priority')}
        value={draft.priority}
        onChange={(priority) => onChange({ priority: priority as Draft['priority'] })}
      >
        {PRIORITIES.map((priority) => (
          <option key={priority} value={priority}>
            {words(`list:values.${priority}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={words('list:fields.owner_id')}
        value={draft.owner_id ?? ''}
        onChange={(id) => onChange({ owner_id: id || null })}
      >
        <option value="">{words('alerts:nobody')}</option>
        {options}
      </Choice>
      <Hours
        label={words('alerts:dueAfter')}
        minutes={draft.due_in_minutes}
        onChange={(minutes) => onChange({ due_in_minutes: minutes })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={draft.business_hours}
          onChange={({ target }) => onChange({ business_hours: target.checked })}
        />
        {words('alerts:businessHours')}
      </label>
      <Hours
        label={words('alerts:escalateAfter')}
        minutes={draft.escalate_after_minutes}
        onChange={(minutes) => onChange({ escalate_after_minutes: minutes })}
      />
      <Choice
        label={words('alerts:escalateTo')}
        value={draft.escalate_to ?? ''}
        onChange={(id) => onChange({ escalate_to: id || null })}
      >
        <option value="">{words('alerts:nobody')}</option>
        {options}
      </Choice>
      <fieldset className="field">
        <legend className="label">{words('alerts:mailTo')}</legend>
        <div>
          <label className="check">
            <input
              type="checkbox"
              checked={notify.owner}
              onChange={({ target }) => onChange({ notify: { ...notify, owner: target.checked } })}
            />
            {words('alerts:toOwner')}
          </label>
          {notify.owner && notify.email.length === 0 && draft.owner_id === null && (
            <Note tone="warn">{words('alerts:noOwnerMail')}</Note>
          )}
          {people.map(({ id, name }) => (
            <label key={id} className="check">
              <input
                type="checkbox"
                checked={notify.email.includes(id)}
                onChange={({ target }) =>
                  onChange({
                    notify: {
                      ...notify,
                      email: target.checked ? [...notify.email, id] : notify.email.filter((each) => each !== id),
                    },
                  })
                }
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </div>
      </fieldset>
    </>
  )
}

interface ChoiceProps {
  label: string
  value: string
  onChange: (value: string) => void
  children: ReactNode
}

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <label className="field">
      <span className="strong">{label}</span>
      <select className="input" value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </label>
  )
}

interface HoursProps {
  label: string
  minutes: number | null
  onChange: (minutes: number | null) => void
}

function Hours({ label, minutes, onChange }: HoursProps) {
  return (
    <Field
      type="number"
      min={0.25}
      step={0.25}
      label={label}
      value={minutes === null ? '' : minutes / MINUTES}
      onChange={({ target }) => onChange(target.value === '' ? null : Math.round(Number(target.value) * MINUTES))}
    />
  )
}
