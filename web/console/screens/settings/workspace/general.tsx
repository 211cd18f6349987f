import { Field } from '../../../../ui/field.tsx'
import { Labelled } from '../../../../ui/form.tsx'
import { useWords } from '../../../words/words.ts'
import type { Part } from './section.tsx'

/** Name, zone, websites, and what is kept of people and texts. */
export function General({ draft, set, errorOf }: Part) {
  const words = useWords()
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <div className="form">
      <Field
        label={words('settings:name')}
        value={draft.name}
        maxLength={120}
        required
        error={errorOf('name')}
        onChange={({ target }) => set('name', target.value)}
      />
      <Labelled label={words('settings:timezone')} error={errorOf('timezone')}>
        {(control) => (
          <select
            {...control}
            className="input"
            dir="ltr"
            value={draft.timezone}
            onChange={({ target }) => set('timezone', target.value)}
          >
            {[...new Set([draft.timezone, 'UTC', ...zones])].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled
        label={words('settings:websites')}
        hint={words('settings:websitesHint')}
        error={errorOf('embed_origins')}
      >
        {(control) => (
          <textarea
            {...control}
            className="input mono"
            dir="ltr"
            rows={Math.max(2, draft.embed_origins.length + 1)}
            value={draft.embed_origins.join('\n')}
            onChange={({ target }) => set('embed_origins', target.value.split('\n'))}
          />
        )}
      </Labelled>
      <label className="check">
        <input
          type="checkbox"
          checked={draft.remember_recipients}
          onChange={({ target }) => set('remember_recipients', target.checked)}
        />
        {words('settings:remember')}
      </label>
      <div className="choices">
        <label className="check">
          <input
            type="checkbox"
            checked={draft.ai.enabled}
            onChange={({ target }) => set('ai', { enabled: target.checked })}
          />
          <span className="pair">
            {words('settings:ai')}
            <small>{words('settings:aiHint')}</small>
          </span>
        </label>
      </div>
    </div>
  )
}
