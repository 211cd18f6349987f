import { Problem } from '../../../../http/problems/problem.ts'
import { cacheOf, type Caches } from '../../../../platform/config/caches.ts'

interface Reading {
  figures: Promise<unknown>
  /** In milliseconds of the monotonic clock. */
  until: number
}

const READINGS = cacheOf<string, Reading>({ max: 200 })
const SLOW_MS = 500
const TIMES = 10

/**
 * The figures of a shared dashboard. Visits at the same time share one reading, and a slow one is kept ten times as long
 * as it took. So visitors, whose number nothing limits, use at most a tenth of one connection for a slow dashboard.
 */
export function readTogether<Figures>(
  caches: Caches,
  key: string,
  read: () => Promise<Figures>,
  now: () => number = () => performance.now(),
): Promise<Figures> {
  const readings = caches.of(READINGS)
  const kept = readings.get(key)
  if (kept && now() < kept.until) return kept.figures as Promise<Figures>
  const began = now()
  const reading: Reading = { figures: read(), until: Infinity }
  readings.set(key, reading)
  const end = (isKept: boolean) => {
    const tookMs = now() - began
    reading.until = isKept && tookMs >= SLOW_MS ? now() + TIMES * tookMs : 0
  }
  reading.figures.then(
    () => end(true),
    (error: unknown) => end(error instanceof Problem),
  )
  return reading.figures as Promise<Figures>
}
