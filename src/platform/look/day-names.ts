import { dateFormat } from '../text/formats.ts'

/** The formats of a reader's language. Days of the calendar are moments in UTC. */
type Dates = (options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat

/**
 * The format of days that belong together, such as those of an axis. They say their year where they lie in two, or end
 * in another than the present one.
 *
 * @param days as 2026-11-25, in order
 * @param today likewise
 */
export function daysFormat(days: string[], today: string, dates: Dates): Intl.DateTimeFormat {
  const years = new Set([...days, today].map((day) => day.slice(0, 4)))
  return dates({ month: 'short', day: 'numeric', timeZone: 'UTC', ...(years.size > 1 && { year: 'numeric' }) })
}

/** The names of days that belong together. */
export function dayNames(days: string[], today: string, dates: Dates): string[] {
  const format = daysFormat(days, today, dates)
  return days.map((day) => format.format(new Date(day)))
}

/** The day of a moment in a zone. Absent: that of the device. */
export function dayIn(timezone: string | undefined, at: Date): string {
  // This locale writes a date as ISO 8601 does.
  return dateFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(at)
}
