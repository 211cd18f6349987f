import { Labelled, NumberInput, Switch } from '../../../../ui/form.tsx'
import { useWords } from '../../../words/words.ts'
import type { Setting } from '../../../../../src/survey-engine/types/settings.ts'
import { Lines } from './lines.tsx'
import type { Question } from '../model/draft.ts'
import type { Problem } from '../model/problems.ts'
import { useIssueWords } from '../issue-words.ts'
import { useMayEdit } from '../use-builder.ts'
import { settingWord } from '../sayings.ts'

interface Props {
  question: Question
  name: string
  setting: Setting
  problems: Problem[]
  onChange: (value: unknown) => void
}

/** The control of one setting, by the kind that the type declares. */
export function SettingField({ question, name, setting, problems, onChange }: Props) {
  const words = useWords()
  const mayEdit = useMayEdit()
  const issueWords = useIssueWords()
  const value = (question as unknown as Record<string, unknown>)[name]
  const problem = problems.find(({ member }) => member === name)
  const error = problem && issueWords(problem)
  const label = settingWord(name, words)
  switch (setting.kind) {
    case 'text':
      return null
    case 'lines':
      return <Lines question={question} name={name} setting={setting} problems={problems} />
    case 'switch':
      return (
        <div className="block">
          <Switch
            label={label}
            isOn={value === true}
            disabled={!mayEdit}
            onChange={(isOn) => onChange(isOn ? true : undefined)}
          />
        </div>
      )
    case 'number':
      return (
        <div className="short">
          <Labelled label={label} error={error}>
            {(control) => (
              <NumberInput
                {...control}
                value={(value as number | undefined) ?? null}
                min={setting.min}
                max={setting.max}
                step={setting.isWhole ? 1 : 'any'}
                {...(setting.usual !== null && { placeholder: String(setting.usual) })}
                onNumber={(number) => onChange(number === null ? (name === 'scale' ? value : undefined) : number)}
              />
            )}
          </Labelled>
        </div>
      )
    case 'day':
      return (
        <div className="short">
          <Labelled label={label} error={error}>
            {(control) => (
              <input
                {...control}
                type="date"
                className="input"
                value={(value as string | undefined) ?? ''}
                readOnly={!mayEdit}
                onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
              />
            )}
          </Labelled>
        </div>
      )
    case 'one':
      return (
        <div className="short">
          <Labelled label={label} error={error}>
            {(control) => (
              <select
                {...control}
                className="input"
                disabled={!mayEdit}
                value={(value as string | undefined) ?? setting.usual}
                onChange={({ target }) => onChange(target.value === setting.usual ? undefined : target.value)}
              >
                {setting.of.map((each) => (
                  <option key={each} value={each}>
                    {words(`build:values.${each}`)}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        </div>
      )
    case 'several': {
      const chosen = (value as string[] | undefined) ?? setting.usual
      return (
        <fieldset className="block" disabled={!mayEdit}>
          <legend className="strong">{label}</legend>
          <div className="checks">
            {setting.of.map((each) => (
              <label key={each} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(each)}
                  onChange={({ target }) =>
                    onChange(setting.of.filter((other) => (other === each ? target.checked : chosen.includes(other))))
                  }
                />
                {words(`build:values.${each}`)}
              </label>
            ))}
          </div>
          {error !== undefined && <p className="wrong">{error}</p>}
        </fieldset>
      )
    }
  }
}
