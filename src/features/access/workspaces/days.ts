import { Cron } from 'croner'

const DAY_MS = 86_400_000

/** The first moment of a day, `YYYY-MM-DD`, in a time zone. */
export function beginningOfDay(day: string, timezone: string): Date {
  return new Cron(`${day}T00:00:00`, { timezone, paused: true }).nextRun(new Date(0)) ?? new Date(`${day}T00:00:00Z`)
}

/** The moment at which a day is over in a time zone. */
export function endOfDay(day: string, timezone: string): Date {
  return beginningOfDay(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10), timezone)
}
