import type { ReactNode } from 'react'
import { Field } from '../../../ui/field.tsx'
import { GrowingText, Labelled } from '../../../ui/form.tsx'
import type { Filter } from '../../app/list-state.ts'
import { Problem } from '../../frame/failure.tsx'
import { FilterBar } from '../../list/filter/filter-bar.tsx'
import { useFields } from '../../list/filter/fields.ts'
import { issuesOf } from '../../session/api.ts'
import { useWords } from '../../words/words.ts'

export interface Draft {
  name: string
  description: string
  filter: Filter
}

interface Props {
  draft: Draft
  error: Error | null
  isReadOnly: boolean
  onChange: (part: Partial<Draft>) => void
  onSubmit: () => void
  note: ReactNode
}

/** The name of a segment and its conditions. */
export function SegmentForm({ draft, error, isReadOnly, onChange, onSubmit, note }: Props) {
  const words = useWords()
  const fields = useFields('people')
  const { issues, errorOf } = issuesOf(error)
  return (
    <form
      id="segment"
      className="in form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {note}
      {error && issues.every(({ path }) => path !== 'name') && <Problem error={error} />}
      <fieldset className="form" disabled={isReadOnly}>
        <Field
          label={words('list:fields.name')}
          maxLength={200}
          required
          value={draft.name}
          error={errorOf('name')}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <Labelled label={words('segments:description')}>
          {(control) => (
            <GrowingText
              {...control}
              className="input"
              maxLength={2000}
              value={draft.description}
              onChange={({ target }) => onChange({ description: target.value })}
            />
          )}
        </Labelled>
        <div className="field">
          <span className="label">{words('segments:conditions')}</span>
          <FilterBar
            fields={fields}
            filter={draft.filter}
            onChange={(filter) => onChange({ filter: filter ?? { all: [] } })}
          />
          <span className="hint">{words('segments:conditionsHint')}</span>
        </div>
      </fieldset>
    </form>
  )
}
