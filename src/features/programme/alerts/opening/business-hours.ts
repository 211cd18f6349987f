import { DateTime, IANAZone } from 'luxon'

export interface BusinessHours {
  /** 1 is Monday, 7 is Sunday. */
  weekdays: number[]
  /** Times of one day, such as `09:00`. */
  start: string
  end: string
  /** Days without work, such as `2026-12-25`. */
  holidays: string[]
}

// A workspace that rests for longer gets the plain time.
const MOST_DAYS = 4_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WEEK = 7

/** The moment at which `minutes` of working time have passed since `from`. */
export function afterWorking(from: Date, minutes: number, hours: BusinessHours | null, timezone: string): Date {
  const plain = new Date(from.getTime() + minutes * MINUTE_MS)
  if (hours === null) return plain
  const holidays = new Set(hours.holidays.map((day) => Date.parse(day)))
  const [start, end] = [minuteOf(hours.start), minuteOf(hours.end)]
  let leftMs = minutes * MINUTE_MS
  const first = DateTime.fromJSDate(from, { zone: timezone })
  const firstDay = Date.UTC(first.year, first.month - 1, first.day)
  for (let week = 0; week < MOST_DAYS; week += WEEK) {
    const momentOf = clockOf(firstDay + week * DAY_MS, timezone)
    for (let day = firstDay + week * DAY_MS; day < firstDay + (week + WEEK) * DAY_MS; day += DAY_MS) {
      if (!hours.weekdays.includes(new Date(day).getUTCDay() || WEEK) || holidays.has(day)) continue
      const opensMs = Math.max(momentOf(day, start), from.getTime())
      const openMs = momentOf(day, end) - opensMs
      if (openMs < 0 || (openMs === 0 && leftMs > 0)) continue
      if (leftMs <= openMs) return new Date(opensMs + leftMs)
      leftMs -= openMs
    }
  }
  return plain
}

/**
 * Finds the moment of a minute of a day, in the week from `firstDay`. Days are midnights in UTC. Most weeks have one
 * offset, and asking for each day took 300 ms for ten years.
 */
function clockOf(firstDay: number, timezone: string): (day: number, minute: number) => number {
  const zone = IANAZone.create(timezone)
  const [before, after] = [zone.offset(firstDay - DAY_MS), zone.offset(firstDay + (WEEK + 1) * DAY_MS)]
  if (before === after) return (day, minute) => day + (minute - before) * MINUTE_MS
  return (day, minute) => {
    const date = new Date(day)
    const midnight = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    const start = DateTime.fromObject(midnight, { zone }).startOf('day')
    return start.set({ hour: Math.floor(minute / 60), minute: minute % 60 }).toMillis()
  }
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}
