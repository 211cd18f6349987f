import { useSyncExternalStore } from 'react'
import { formatMoment, formatTimeAgo, formatTimeUntil } from './format.ts'

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
export function TimeUntil({ at }: { at: string }) {
  const present = useSyncExternalStore(subscribe, () => now)
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatTimeUntil(at, Math.max(present, Date.now()))}
    </time>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
