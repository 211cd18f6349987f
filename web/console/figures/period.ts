import { dayIn } from '../../../src/platform/look/day-names.ts'

/** A period in the address of a screen: the days up to today, or a first and a last day. */
export interface PeriodState {
  days?: number
  from?: string
  to?: string
}

/** The days of a period in the workspace's zone. */
export interface Days {
  from: string
  to: string
}

export const PRESETS = [7, 30, 90, 365]
const USUAL_DAYS = 30
const MOST_DAYS = 3_650
const DAY_MS = 86_400_000
/** Weeks before and after which a trend goes by days and by months. */
const MOST_BY_DAY = 35
const MOST_BY_WEEK = 300
/** A trend shows the period, the one before, and as much again. */
const STRETCH = 3

/** Reads the address. Members that make no sense are left out. */
export function readPeriod({ days, from, to }: Record<string, unknown>): PeriodState {
  if (isDay(from) && isDay(to) && from <= to) return { from, to }
  return typeof days === 'number' && Number.isInteger(days) && days > 0 && days <= MOST_DAYS ? { days } : {}
}

export function daysOf({ days = USUAL_DAYS, from, to }: PeriodState, timezone: string, now: Date): Days {
  if (from !== undefined && to !== undefined) return { from, to }
  const today = dayIn(timezone, now)
  return { from: plusDays(today, 1 - days), to: today }
}

/** This month up to today, and the whole month before, in a zone. */
export function monthsOf(timezone: string, now: Date): { thisMonth: Days; lastMonth: Days } {
  const today = dayIn(timezone, now)
  const first = `${today.slice(0, 7)}-01`
  const lastDay = plusDays(first, -1)
  return { thisMonth: { from: first, to: today }, lastMonth: { from: `${lastDay.slice(0, 7)}-01`, to: lastDay } }
}

export function lengthOf({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
}

/** The stretch of time that a trend of this period shows, and its steps. */
export function stretchOf(days: Days): { period: Days; interval: 'day' | 'week' | 'month' } {
  const whole = Math.max(4 * 7, lengthOf(days) * STRETCH)
  const interval = whole <= MOST_BY_DAY ? 'day' : whole <= MOST_BY_WEEK ? 'week' : 'month'
  return { period: { from: plusDays(days.to, 1 - whole), to: days.to }, interval }
}

/** The days of each interval of a period, from the first days of all. */
export function daysWithin(firsts: string[], { from, to }: Days): Days[] {
  return firsts.map((first, at) => {
    const next = firsts[at + 1]
    return { from: first < from ? from : first, to: next === undefined ? to : plusDays(next, -1) }
  })
}

/** The first moment of a period, and the first after it. */
export function momentsOf({ from, to }: Days, timezone: string): { from: string; to: string } {
  return { from: startOf(from, timezone), to: startOf(plusDays(to, 1), timezone) }
}

/** The moment at which a day begins in a zone. */
function startOf(day: string, timezone: string): string {
  const midnight = Date.parse(day)
  // The offset of the zone near midnight, and then at that midnight itself, because clocks may change between.
  const near = midnight - offsetAt(midnight, timezone)
  return new Date(midnight - offsetAt(near, timezone)).toISOString()
}

function offsetAt(moment: number, timezone: string): number {
  const options = { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' } as const
  const local = new Intl.DateTimeFormat('sv-SE', options).format(moment)
  return Date.parse(`${local.replace(' ', 'T')}Z`) - moment
}

function plusDays(day: string, more: number): string {
  return new Date(Date.parse(day) + more * DAY_MS).toISOString().slice(0, 10)
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
}

const WEEK_MS = 7 * 86_400_000
// The epoch was a Thursday, and weeks begin on Monday in UTC, as those of the API.
const MONDAY_MS = 4 * 86_400_000

/** The counts of the last weeks before a moment. Weeks that a trend leaves out have none. */
export function lastWeeks(trend: Array<{ at: string; n: number }>, to: string, weeks: number): number[] {
  const counts = new Map(trend.map(({ at, n }) => [Date.parse(at), n]))
  const last = Math.floor((Date.parse(to) - 1 - MONDAY_MS) / WEEK_MS) * WEEK_MS + MONDAY_MS
  return Array.from({ length: weeks }, (_, place) => counts.get(last - (weeks - 1 - place) * WEEK_MS) ?? 0)
}
