import { useId, type ReactNode } from 'react'
import { Field } from '../../../../ui/field.tsx'
import { Switch } from '../../../../ui/form.tsx'
import { useWords } from '../../../words/words.ts'
import type { Draft, Org, Set } from './draft.ts'

/** A part of the form. */
export interface Part {
  draft: Draft
  saved: Org
  set: Set
  /** The message of the API at a member, such as `quiet_hours.end`. */
  errorOf: (path: string) => string | undefined
}

interface Props {
  title: string
  /** The rule as it is now. */
  says: string
  children: ReactNode
}

/** A rule of the workspace: a sentence that says it, and its fields. */
export function Section({ title, says, children }: Props) {
  const id = useId()
  return (
    <div className="section form" role="group" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        <p className="soft">{says}</p>
      </div>
      {children}
    </div>
  )
}

interface OptionalProps extends Props {
  /** Says that the rule holds. */
  label: string
  isOn: boolean
  onSwitch: (isOn: boolean) => void
}

/** A rule that can be off. */
export function OptionalSection({ label, isOn, onSwitch, children, ...section }: OptionalProps) {
  return (
    <Section {...section}>
      <Switch label={label} isOn={isOn} onChange={onSwitch} />
      {isOn && children}
    </Section>
  )
}

interface Hours {
  start: string
  end: string
}

interface HoursProps {
  value: Hours
  errorOf: (name: keyof Hours) => string | undefined
  onChange: (hours: Hours) => void
}

/** Two times of a day. */
export function HoursOfDay({ value, errorOf, onChange }: HoursProps) {
  const words = useWords()
  return (
    <div className="side-by-side">
      {(['start', 'end'] as const).map((name) => (
        <Field
          key={name}
          type="time"
          required
          label={words(`settings:hours.${name}`)}
          value={value[name]}
          error={errorOf(name)}
          onChange={({ target }) => onChange({ start: value.start, end: value.end, [name]: target.value })}
        />
      ))}
    </div>
  )
}
