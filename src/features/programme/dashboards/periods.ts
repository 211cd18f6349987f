import { DateTime } from 'luxon'
import type { Period } from './query.ts'

/** The ends of a period: its first and its last day, or what its author wrote. */
export function endsOf(period: Period, timezone: string, now: Date): { from: string; to: string } {
  if ('from' in period) return period
  const today = DateTime.fromJSDate(now, { zone: timezone })
  return { from: dayOf(today.minus({ days: period.days - 1 })), to: dayOf(today) }
}

function dayOf(at: DateTime): string {
  return at.toFormat('yyyy-MM-dd')
}
