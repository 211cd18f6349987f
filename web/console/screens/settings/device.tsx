import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Labelled, Switch } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMe } from '../../app/me.ts'
import { reasonOf } from '../../frame/failure.tsx'
import { hasSingleKeys } from '../../shortcuts/shortcuts.ts'
import { chooseTheme, presentTheme, THEMES } from '../../frame/theme.ts'
import { answerOf, api } from '../../session/api.ts'
import { chooseLanguage, LANGUAGES, useLanguage, useWords, type Language } from '../../words/words.ts'
import { Settings } from './layout.tsx'
import { Subscriptions } from './notifications/subscriptions.tsx'

/** The notifications that reach the caller, and how the console looks and listens to keys. */
export function NotificationsAndDevice() {
  return (
    <Settings name="notifications">
      <Subscriptions />
      <Device />
      <Keys />
    </Settings>
  )
}

function Device() {
  const words = useWords()
  const language = useLanguage()
  const [theme, setTheme] = useState(presentTheme)
  return (
    <section className="section">
      <header>
        <h2>{words('settings:notify.device')}</h2>
      </header>
      <div className="form">
        <fieldset className="field">
          <legend className="label">{words('frame:account.theme')}</legend>
          <div className="segmented" style={{ justifySelf: 'start' }}>
            {THEMES.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === theme}
                onClick={() => {
                  chooseTheme(each)
                  setTheme(each)
                }}
              >
                {words(`frame:themes.${each}`)}
              </button>
            ))}
          </div>
        </fieldset>
        <Labelled label={words('frame:account.language')}>
          {(control) => (
            <select
              {...control}
              className="input"
              value={language}
              onChange={({ target }) => void chooseLanguage(target.value as Language)}
            >
              {Object.entries(LANGUAGES).map(([tag, label]) => (
                <option key={tag} value={tag} lang={tag}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Labelled>
      </div>
    </section>
  )
}

/** Kept in the account, so that a person sets it once. */
function Keys() {
  const words = useWords()
  const me = useMe()
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (single_keys: boolean) => answerOf(api.PATCH('/v1/me', { body: { preferences: { single_keys } } })),
    onSuccess: (next) => client.setQueryData(['me'], next),
    onError: (error) => toast({ text: reasonOf(error, words) }),
  })
  return (
    <section className="section">
      <header>
        <h2>{words('settings:notify.keys')}</h2>
      </header>
      <Switch
        label={words('settings:notify.keysOn')}
        isOn={hasSingleKeys(me)}
        onChange={(isOn) => save.mutateAsync(isOn)}
      />
      <p className="sub">{words('settings:notify.keysHint')}</p>
    </section>
  )
}
