import { useEffect, useState, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { TONE_ICONS, type Tone } from './status-tones.ts'

/** A state as a sign and a word. */
export function Status({ tone, icon, children }: { tone: Tone; icon?: string; children: ReactNode }) {
  return (
    <span className={`status ${tone}`}>
      <Icon name={icon ?? TONE_ICONS[tone]} />
      {children}
    </span>
  )
}

const LEVELS: Record<string, string> = {
  promoter: 'high',
  satisfied: 'high',
  easy: 'high',
  passive: 'mid',
  neutral: 'mid',
  detractor: 'low',
  dissatisfied: 'low',
  difficult: 'low',
}

/** A score in the colour of its band. `label` names the band for those who do not see the colour. */
export function Score({ value, band, label }: { value: number; band: string | null; label: string }) {
  return (
    <span className={`score ${LEVELS[band ?? ''] ?? 'mid'}`} title={label}>
      {value}
      <span className="unseen"> {label}</span>
    </span>
  )
}

export function Tag({
  children,
  onRemove,
  removeLabel,
}: {
  children: ReactNode
  onRemove?: () => void
  removeLabel?: string
}) {
  return (
    <span className="tag">
      <bdi>{children}</bdi>
      {onRemove && (
        <button type="button" aria-label={removeLabel} onClick={onRemove}>
          <Icon name="x" isSmall />
        </button>
      )}
    </span>
  )
}

export function Note({ tone, icon, children }: { tone?: 'bad' | 'warn'; icon?: string; children: ReactNode }) {
  return (
    <div className={`note ${tone ?? ''}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icon ?? (tone === undefined ? 'circle-help' : TONE_ICONS[tone])} isSmall />
      <div className="grow">{children}</div>
    </div>
  )
}

/** A list without rows: what the thing is for, and the next step. */
export function Empty({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
      {actions !== undefined && <div className="row">{actions}</div>}
    </div>
  )
}

const PATIENCE_MS = 300

/** Rows in grey. Nothing shows for the first 300 ms, since most answers are there by then. */
export function Skeleton({ rows = 8, label }: { rows?: number; label: string }) {
  const isShown = useAfter(PATIENCE_MS)
  if (!isShown) return null
  return (
    <div role="status" style={{ padding: '12px 24px', display: 'grid', gap: 30 }}>
      <span className="unseen">{label}</span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className="skeleton" style={{ width: `${90 - ((at * 17) % 45)}%` }} />
      ))}
    </div>
  )
}

function useAfter(ms: number): boolean {
  const [isAfter, setAfter] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setAfter(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isAfter
}
