import { useSyncExternalStore } from 'react'
import { formatMoment, formatTimeAgo, formatTimeUntil, dates } from './format.ts'

const TICK_MS = 30_000
const listeners = new Set<() => void>()
let now = Date.now()
setInterval(() => {
  now = Date.now()
  for (const listener of listeners) listener()
}, TICK_MS)

/** How long ago a moment was, with the exact moment on hover. */
export function TimeAgo({ at }: { at: string }) {
  const present = useSyncExternalStore(subscribe, () => now)
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatTimeAgo(at, Math.max(present, Date.parse(at) <= Date.now() ? Date.parse(at) : present))}
    </time>
  )
}

/** When a moment comes. A past moment is now: a delivery that is due waits for its turn. */
export function TimeUntil({ at, isLong = false }: { at: string; isLong?: boolean }) {
  const present = useSyncExternalStore(subscribe, () => now)
  // Around it may be a status, which must not be read out again each time that half a minute has passed.
  return (
    <time dateTime={at} title={formatMoment(at)} aria-live="off">
      {formatTimeUntil(at, Math.max(present, Date.now()), isLong ? 'long' : 'narrow')}
    </time>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const OF_TODAY = { hour: 'numeric', minute: '2-digit' } as const
const OF_DAYS = { month: 'short', day: 'numeric', ...OF_TODAY } as const
const YEARS_AGO = { dateStyle: 'medium' } as const
const DAY_MS = 86_400_000

/** When something happened in a story, or will happen, to the minute, with the exact moment on hover. */
export function Moment({ at }: { at: string }) {
  const days = (Date.now() - Date.parse(at)) / DAY_MS
  const options = days >= 0 && days < 1 ? OF_TODAY : days < 300 ? OF_DAYS : YEARS_AGO
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {dates(options).format(new Date(at))}
    </time>
  )
}
