import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Labelled, Switch } from '../../../ui/form.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Problem } from '../../frame/failure.tsx'
import { surveyNamesQuery } from '../../list/names.ts'
import { issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

export type Draft = Omit<Schemas['InboundNumber'], 'id' | 'created_at' | 'updated_at'>

const CAPABILITIES = ['sms', 'voice'] as const
const NIGHT = { start: '20:00', end: '09:00' }

interface Props {
  draft: Draft
  isNew: boolean
  isReadOnly: boolean
  error: Error | null
  onChange: (part: Partial<Draft>) => void
  onSubmit: () => void
}

export function NumberForm({ draft, isNew, isReadOnly, error, onChange, onSubmit }: Props) {
  const words = useWords()
  const { issues, errorOf } = issuesOf(error)
  const placed = ['number', 'label', 'language']
  return (
    <form
      id="number"
      className="in form"
      style={{ maxWidth: 608, alignContent: 'start' }}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {error && !issues.some(({ path }) => placed.includes(path)) && <Problem error={error} />}
      <fieldset className="form" disabled={isReadOnly}>
        {isNew && (
          <Field
            label={words('numbers:number')}
            hint={words('numbers:numberHint')}
            type="tel"
            dir="ltr"
            value={draft.number}
            error={errorOf('number')}
            onChange={({ target }) => onChange({ number: target.value })}
          />
        )}
        <Field
          label={words('numbers:label')}
          maxLength={120}
          value={draft.label}
          error={errorOf('label')}
          onChange={({ target }) => onChange({ label: target.value })}
        />
        <fieldset>
          <legend className="strong">{words('numbers:can')}</legend>
          {CAPABILITIES.map((each) => (
            <label key={each} className="check">
              <input
                type="checkbox"
                checked={draft.capabilities.includes(each)}
                onChange={({ target }) =>
                  onChange({
                    capabilities: CAPABILITIES.filter((one) =>
                      one === each ? target.checked : draft.capabilities.includes(one),
                    ),
                  })
                }
              />
              {words(`list:values.${each}`)}
            </label>
          ))}
        </fieldset>
        <Surveys draft={draft} onChange={onChange} />
        <Field
          label={words('list:fields.language')}
          hint={words('numbers:languageHint')}
          dir="ltr"
          maxLength={35}
          value={draft.language ?? ''}
          error={errorOf('language')}
          onChange={({ target }) => onChange({ language: target.value.trim() || null })}
        />
        <Quiet draft={draft} onChange={onChange} />
      </fieldset>
    </form>
  )
}

type Part = Pick<Props, 'draft' | 'onChange'>

/** The survey that a message or a call begins. */
function Surveys({ draft, onChange }: Part) {
  const words = useWords()
  const surveys = useQuery(surveyNamesQuery)
  const options = (surveys.data?.data ?? []).map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))
  const { keywords } = draft
  const set = (at: number, part: Partial<Schemas['Keyword']>) =>
    onChange({ keywords: keywords.map((keyword, place) => (place === at ? { ...keyword, ...part } : keyword)) })
  return (
    <>
      <Labelled label={words('numbers:defaultSurvey')} hint={words('numbers:defaultHint')}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={draft.default_survey_id ?? ''}
            onChange={({ target }) => onChange({ default_survey_id: target.value || null })}
          >
            <option value="">{words('numbers:none')}</option>
            {options}
          </select>
        )}
      </Labelled>
      <div className="field keywords" role="group" aria-label={words('numbers:keywords')}>
        <span className="label">{words('numbers:keywords')}</span>
        {keywords.map(({ keyword, survey_id }, at) => (
          <div key={at}>
            <input
              className="input"
              aria-label={words('numbers:keywordOf', { n: at + 1 })}
              maxLength={40}
              value={keyword}
              onChange={({ target }) => set(at, { keyword: target.value })}
            />
            <select
              className="input"
              aria-label={words('numbers:surveyOf', { keyword })}
              value={survey_id}
              onChange={({ target }) => set(at, { survey_id: target.value })}
            >
              <option value="" disabled>
                {words('list:choose')}
              </option>
              {options}
            </select>
            <Button
              look="quiet"
              size="square"
              aria-label={words('numbers:takeOut', { keyword })}
              onClick={() => onChange({ keywords: keywords.filter((_, place) => place !== at) })}
            >
              <Icon name="x" isSmall />
            </Button>
          </div>
        ))}
        <span>
          <Button
            onClick={() =>
              onChange({
                keywords: [...keywords, { keyword: '', survey_id: surveys.data?.data.at(0)?.id ?? '' }],
              })
            }
          >
            <Icon name="plus" isSmall />
            {words('numbers:addKeyword')}
          </Button>
        </span>
        <span className="hint">{words('numbers:keywordsHint')}</span>
      </div>
    </>
  )
}

/** When no reminder of an unfinished conversation goes out. */
function Quiet({ draft, onChange }: Part) {
  const words = useWords()
  const hours = draft.quiet_hours
  return (
    <>
      <Labelled label={words('list:fields.timezone')}>
        {(control) => (
          <select
            {...control}
            className="input"
            value={draft.timezone ?? ''}
            onChange={({ target }) => onChange({ timezone: target.value || null })}
          >
            <option value="">{words('numbers:ofWorkspace')}</option>
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone}>
                {zone}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <Switch
        label={words('numbers:ownQuiet')}
        isOn={hours !== null}
        onChange={(isOn) => onChange({ quiet_hours: isOn ? NIGHT : null })}
      />
      {hours !== null && (
        <div className="quiet-hours">
          {(['start', 'end'] as const).map((edge) => (
            <Field
              key={edge}
              label={words(`numbers:quiet.${edge}`)}
              type="time"
              value={hours[edge]}
              onChange={({ target }) => onChange({ quiet_hours: { ...hours, [edge]: target.value } })}
            />
          ))}
        </div>
      )}
    </>
  )
}
