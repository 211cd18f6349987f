import { useEffect, useState, type ButtonHTMLAttributes, type ReactNode } from 'react'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger'
  size?: 'usual' | 'big' | 'square'
  /** While true the button does nothing, and after 200 ms it says so with `busyText`. */
  isBusy?: boolean
  busyText?: ReactNode
}

const LATE_MS = 200

export function Button({
  look = 'plain',
  size = 'usual',
  isBusy = false,
  busyText,
  children,
  disabled,
  type = 'button',
  onClick,
  ...rest
}: Props) {
  const isLate = useLate(isBusy)
  return (
    <button
      {...rest}
      type={type}
      className={`button ${look} ${size} ${rest.className ?? ''}`}
      disabled={disabled === true || isLate}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      aria-busy={isBusy || undefined}
    >
      {isLate && busyText !== undefined ? busyText : children}
    </button>
  )
}

function useLate(isBusy: boolean): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isBusy) return setLate(false)
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [isBusy])
  return isLate
}
