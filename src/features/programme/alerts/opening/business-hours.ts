import { DateTime } from 'luxon'

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

/** The moment at which `minutes` of working time have passed since `from`. */
export function afterWorking(from: Date, minutes: number, hours: BusinessHours | null, timezone: string): Date {
  const plain = new Date(from.getTime() + minutes * 60_000)
  if (hours === null) return plain
  const holidays = new Set(hours.holidays)
  let leftMs = minutes * 60_000
  let day = DateTime.fromJSDate(from, { zone: timezone }).startOf('day')
  for (let looked = 0; looked < MOST_DAYS; looked++, day = day.plus({ days: 1 }).startOf('day')) {
    if (!hours.weekdays.includes(day.weekday) || holidays.has(day.toISODate() ?? '')) continue
    const opensMs = Math.max(at(day, hours.start), from.getTime())
    const openMs = at(day, hours.end) - opensMs
    if (openMs < 0 || (openMs === 0 && leftMs > 0)) continue
    if (leftMs <= openMs) return new Date(opensMs + leftMs)
    leftMs -= openMs
  }
  return plain
}

function at(day: DateTime, time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return day.set({ hour, minute }).toMillis()
}
