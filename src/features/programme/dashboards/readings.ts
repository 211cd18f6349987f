import { Problem } from '../../../http/problems/problem.ts'
import { cacheOf, type Caches } from '../../../platform/config/caches.ts'
import { nextTurn } from '../../../platform/loop/turns.ts'

interface Reading {
  figures: Promise<unknown>
  /** In milliseconds of the monotonic clock. */
  until: number
}

const READINGS = cacheOf<string, Reading>({ max: 1_000 })

/**
 * The figures of a shared dashboard, whose visitors nothing limits. Visits at the same time share one reading, so one
 * dashboard takes one connection, and go on one by one. A refusal is kept until the time at which it asks its reader to
 * come again. Figures are not kept.
 * @param key what is read. It differs after each erasure, which is therefore seen at once.
 */
export function readTogether<Figures>(
  caches: Caches,
  key: string,
  read: () => Promise<Figures>,
  now: () => number = () => performance.now(),
): Promise<Figures> {
  const readings = caches.of(READINGS)
  const known = readings.get(key)
  if (known && now() < known.until) return inTurn(known.figures as Promise<Figures>)
  const figures = read()
  const reading: Reading = { figures, until: Infinity }
  readings.set(key, reading)
  figures.then(
    () => readings.delete(key),
    (error: unknown) => {
      const waitSeconds = error instanceof Problem ? error.options.retryAfter : undefined
      if (waitSeconds === undefined) readings.delete(key)
      else reading.until = now() + waitSeconds * 1_000
    },
  )
  return figures
}

// To write 30,000 points as JSON takes 10 ms, and a hundred visits would do so in one round of the event loop.
async function inTurn<Figures>(figures: Promise<Figures>): Promise<Figures> {
  await figures
  await nextTurn()
  return figures
}
