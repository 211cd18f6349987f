import fc from 'fast-check'
import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../testing/property-runs.ts'
import { workingFrom, type BusinessHours } from './business-hours.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The plain way: one day after another, for one time. */
function plainly(from: Date, minutes: number, hours: BusinessHours, zone: string): Date {
  const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  const first = DateTime.fromJSDate(from, { zone })
  const firstDay = Date.UTC(first.year, first.month - 1, first.day)
  let leftMs = minutes * MINUTE_MS
  // Whole weeks, so a few days more than 4,000.
  for (let day = firstDay; day < firstDay + 4_004 * DAY_MS; day += DAY_MS) {
    const date = new Date(day)
    if (!hours.weekdays.includes(date.getUTCDay() || 7)) continue
    if (hours.holidays.includes(date.toISOString().slice(0, 10))) continue
    const midnight = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    const began = DateTime.fromObject(midnight, { zone }).startOf('day')
    const momentOf = (minute: number) => began.set({ hour: Math.floor(minute / 60), minute: minute % 60 }).toMillis()
    const opensMs = Math.max(momentOf(minuteOf(hours.start)), from.getTime())
    const openMs = momentOf(minuteOf(hours.end)) - opensMs
    if (openMs < 0 || (openMs === 0 && leftMs > 0)) continue
    if (leftMs <= openMs) return new Date(opensMs + leftMs)
    leftMs -= openMs
  }
  return new Date(from.getTime() + minutes * MINUTE_MS)
}

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  // Half an hour of summer time.
  'Australia/Lord_Howe',
  // Offsets of half an hour and of three quarters.
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  // Two changes around a month that moves.
  'Africa/Casablanca',
  // Days without a midnight, and with two.
  'Africa/Cairo',
  'America/Havana',
  'America/Santiago',
  // Both sides of the date line.
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

const minuteOfDay = fc.integer({ min: 0, max: 1_439 })
const timeOf = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
const from = fc.integer({ min: Date.UTC(2024, 0, 1) / 1_000, max: Date.UTC(2030, 0, 1) / 1_000 })

test('working time is that of a walk through each single day, for many times from one moment', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      from,
      fc.uniqueArray(minuteOfDay, { minLength: 2, maxLength: 2 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
      fc.array(fc.integer({ min: -3, max: 60 }), { maxLength: 20 }),
      fc.array(fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 525_600 })), {
        minLength: 1,
        maxLength: 4,
      }),
      (zone, seconds, times, weekdays, rests, minutes) => {
        const start = new Date(seconds * 1_000)
        const [opens, closes] = times.toSorted((a, b) => a - b).map(timeOf) as [string, string]
        const holidays = rests.map((days) => new Date(start.getTime() + days * DAY_MS).toISOString().slice(0, 10))
        const hours = { weekdays, start: opens, end: closes, holidays }
        const after = workingFrom(start, hours, zone)
        for (const asked of minutes)
          expect(after(asked).toISOString()).toBe(plainly(start, asked, hours, zone).toISOString())
      },
    ),
    propertyRuns(20_261_128, 60, 12),
  )
})

test('short hours about each change of the clock are those of the plain walk', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      from,
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 1, max: 5 }),
      (zone, seconds, opens, lasts) => {
        const start = new Date(seconds * 1_000)
        const hours = {
          weekdays: [1, 2, 3, 4, 5, 6, 7],
          start: timeOf(opens),
          end: timeOf(opens + lasts),
          holidays: [],
        }
        const after = workingFrom(start, hours, zone)
        for (const days of [80, 170, 260, 350, 430])
          expect(after(days * lasts).toISOString()).toBe(plainly(start, days * lasts, hours, zone).toISOString())
      },
    ),
    propertyRuns(20_261_129, 60, 10),
  )
})
