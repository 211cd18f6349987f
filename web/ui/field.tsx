import { useId, type AriaAttributes, type InputHTMLAttributes, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface Labels {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  /** Beside the label, such as a link. */
  aside?: ReactNode
}

/** An input with its label above and its error below, which a screen reader joins to it. */
export function Field({ label, hint, error, aside, ...input }: Labels & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error} aside={aside}>
      <input
        {...input}
        {...describe(id, hint, error, input['aria-invalid'])}
        className={`input ${input.className ?? ''}`}
      />
    </Frame>
  )
}

function Frame({ id, label, hint, error, aside, children }: Labels & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <div className="label">
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children}
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && error !== null && (
        <span className="error" id={`${id}-error`}>
          <Icon name="circle-alert" isSmall />
          {error}
        </span>
      )}
    </div>
  )
}

function describe(id: string, hint: ReactNode, error: ReactNode, isInvalid: AriaAttributes['aria-invalid']) {
  const hasError = error !== undefined && error !== null
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(hasError ? [`${id}-error`] : [])]
  return {
    id,
    'aria-invalid': hasError || isInvalid,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
  }
}
