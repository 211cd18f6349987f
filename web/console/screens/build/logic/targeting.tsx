import { Labelled, NumberInput, Switch } from '../../../../ui/form.tsx'
import { useWords } from '../../../words/words.ts'
import type { Draft } from '../model/draft.ts'
import { without } from '../model/edits.ts'

type Rules = NonNullable<Draft['targeting']>

interface Props {
  targeting: Draft['targeting']
  onChange: (targeting: Draft['targeting']) => void
  errorOf: (path: string) => string | undefined
}

/** When the survey opens by itself on a website. */
export function Targeting({ targeting, onChange, errorOf }: Props) {
  const words = useWords()
  const set = (change: Partial<Record<keyof Rules, unknown>>) => onChange(without({ ...targeting, ...change } as Rules))
  const { recontact = 'until_answered' } = targeting ?? {}
  const days = typeof recontact === 'object' ? recontact.every_days : null
  return (
    <>
      <Switch
        label={words('build:opensByItself')}
        isOn={targeting !== undefined}
        onChange={(isOn) => onChange(isOn ? {} : undefined)}
      />
      {targeting && (
        <>
          <Lines
            label={words('build:urls')}
            hint={words('build:urlsHint')}
            lines={targeting.urls ?? []}
            error={(targeting.urls ?? []).map((_, at) => errorOf(`targeting.urls.${at}`)).find(Boolean)}
            onChange={(urls) => set({ urls: urls.length > 0 ? urls : undefined })}
          />
          <Lines
            label={words('build:events')}
            hint={words('build:eventsHint')}
            lines={targeting.events ?? []}
            onChange={(events) => set({ events: events.length > 0 ? events : undefined })}
          />
          <div className="pairs">
            <Labelled label={words('build:sample')}>
              {(control) => (
                <NumberInput
                  {...control}
                  min={0}
                  max={100}
                  step={1}
                  placeholder="100"
                  value={targeting.sample === undefined ? null : Math.round(targeting.sample * 100)}
                  onNumber={(number) =>
                    set({ sample: number === null ? undefined : Math.max(0, Math.min(100, number)) / 100 })
                  }
                />
              )}
            </Labelled>
            <Labelled label={words('build:delay')}>
              {(control) => (
                <NumberInput
                  {...control}
                  min={0}
                  max={3600}
                  step={1}
                  placeholder="0"
                  value={targeting.delay_ms === undefined ? null : targeting.delay_ms / 1000}
                  onNumber={(number) =>
                    set({
                      delay_ms: number === null ? undefined : Math.round(Math.max(0, Math.min(3600, number)) * 1000),
                    })
                  }
                />
              )}
            </Labelled>
          </div>
          <Labelled label={words('build:recontact')}>
            {(control) => (
              <select
                {...control}
                className="input"
                value={typeof recontact === 'object' ? 'every_days' : recontact}
                onChange={({ target }) =>
                  set({
                    recontact:
                      target.value === 'until_answered'
                        ? undefined
                        : target.value === 'once'
                          ? 'once'
                          : { every_days: 90 },
                  })
                }
              >
                {(['until_answered', 'once', 'every_days'] as const).map((each) => (
                  <option key={each} value={each}>
                    {words(`build:recontacts.${each}`)}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
          {days !== null && (
            <Labelled label={words('build:days')}>
              {(control) => (
                <NumberInput
                  {...control}
                  className="narrow-input"
                  min={1}
                  max={3650}
                  step={1}
                  value={days}
                  onNumber={(number) => number !== null && set({ recontact: { every_days: Math.round(number) } })}
                />
              )}
            </Labelled>
          )}
        </>
      )}
    </>
  )
}

interface LinesProps {
  label: string
  hint: string
  lines: string[]
  error?: string | undefined
  onChange: (lines: string[]) => void
}

/** One a line. */
function Lines({ label, hint, lines, error, onChange }: LinesProps) {
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(control) => (
        <textarea
          {...control}
          className="input mono"
          dir="ltr"
          rows={Math.max(2, lines.length + 1)}
          defaultValue={lines.join('\n')}
          onChange={({ target }) =>
            onChange(
              target.value
                .split('\n')
                .map((line) => line.trim())
                .filter((line) => line !== ''),
            )
          }
        />
      )}
    </Labelled>
  )
}
