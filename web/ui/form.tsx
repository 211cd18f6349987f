import { useEffect, useId, useLayoutEffect, useRef, useState, type ReactNode, type TextareaHTMLAttributes } from 'react'
import { Icon } from './icon.tsx'

/** A control with its label above, a hint, and its error below. */
export function Labelled({
  label,
  hint,
  error,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  children: (control: { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }) => ReactNode
}) {
  const id = useId()
  const hasError = error !== undefined && error !== null && error !== ''
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(hasError ? [`${id}-error`] : [])].join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, ...(hasError && { 'aria-invalid': true }), ...(ids !== '' && { 'aria-describedby': ids }) })}
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {hasError && (
        <span className="error" id={`${id}-error`}>
          <Icon name="circle-alert" isSmall />
          {error}
        </span>
      )}
    </div>
  )
}

/** A text area that is as high as its text. */
export function GrowingText(props: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const area = useRef<HTMLTextAreaElement>(null)
  const value = props.value
  useLayoutEffect(() => {
    const element = area.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [value])
  return <textarea rows={1} {...props} ref={area} className={`growing ${props.className ?? ''}`} />
}

/** Takes effect at once. While `onChange` works, it shows what was chosen. */
export function Switch({
  label,
  isOn,
  onChange,
  disabled,
}: {
  label: ReactNode
  isOn: boolean
  onChange: (isOn: boolean) => void | Promise<unknown>
  disabled?: boolean
}) {
  const [chosen, setChosen] = useState<boolean | null>(null)
  const choose = (next: boolean) => {
    const work = onChange(next)
    if (!work) return
    setChosen(next)
    // By then the screen has drawn the change.
    const end = () => setTimeout(() => setChosen(null))
    work.then(end, end)
  }
  return (
    <label className="switch">
      <input
        type="checkbox"
        role="switch"
        checked={chosen ?? isOn}
        disabled={disabled}
        onChange={({ target }) => choose(target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

/** A field for a number. It reports a value once the text is a number, and keeps the text. */
export function NumberInput({
  value,
  onNumber,
  ...input
}: {
  value: number | null
  onNumber: (value: number | null) => void
  id?: string
  min?: number
  max?: number
  step?: number | 'any'
  placeholder?: string
  required?: boolean
  className?: string
  'aria-label'?: string
  'aria-invalid'?: true
  'aria-describedby'?: string
}) {
  const [typed, setTyped] = useState(() => (value === null ? '' : String(value)))
  const told = useRef(value)
  useEffect(() => {
    if (value !== told.current) setTyped(value === null ? '' : String(value))
    told.current = value
  }, [value])
  return (
    <input
      type="number"
      {...input}
      className={`input ${input.className ?? ''}`}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        const number = target.value.trim() === '' ? null : Number(target.value)
        if (number !== null && !Number.isFinite(number)) return
        told.current = number
        onNumber(number)
      }}
    />
  )
}
