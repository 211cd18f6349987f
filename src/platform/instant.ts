import { Cron } from 'croner'
import { z } from 'zod'

const DAY_MS = 86_400_000
const HOW = 'Use a time such as 2026-11-22T09:30:00Z, or a date such as 2026-11-22.'
// A bare `+` in an address means a space.
const LOST_PLUS = /T[\d:.]{1,30} \d\d:?\d\d$/

/** How to write a time, for a text that is none. */
export function howToWriteTime(value: unknown): string {
  return typeof value === 'string' && LOST_PLUS.test(value)
    ? 'This has a space in place of the + before the offset. In an address write %2B for +, or use a time that ends with Z.'
    : HOW
}

/** The message of a schema that reads times. */
export const timeError = ({ input }: { input?: unknown }): string => howToWriteTime(input)

const moment = z.iso.datetime({ offset: true, error: timeError })
const date = z.iso.date({ error: timeError })

const IN_RANGE = 'Use a time between the years 1900 and 9999 in UTC.'
const inRange = (at: Date) => at.getUTCFullYear() >= 1900 && at.getUTCFullYear() <= 9999
const time = moment.transform((text) => new Date(text)).refine(inRange, IN_RANGE)

/**
 * A time from a caller, within the years that every database and answer can hold: RFC 3339 with any offset, or a date.
 * A date means its midnight in UTC plus `afterMs`.
 */
function instantFrom(afterMs: number) {
  const midnight = date.transform((text) => new Date(Date.parse(text) + afterMs)).refine(inRange, IN_RANGE)
  return z.union([time, midnight], { error: timeError }).meta({ example: '2026-11-22T09:30:00Z' })
}

/** A date means its first moment. */
export const instant = instantFrom(0)

/** The exclusive end of a period. A date includes the whole day. */
export const instantUntil = instantFrom(DAY_MS)

/** A day of a caller, `YYYY-MM-DD`. */
export interface LocalDay {
  day: string
}

/**
 * A time, or the whole of a day in the time zone of the workspace. `timeOf` (workspaces) finds where it begins or ends.
 */
export const instantOrDay = z
  .union([time, date.transform((day): LocalDay => ({ day })).refine(({ day }) => inRange(new Date(day)), IN_RANGE)], {
    error: timeError,
  })
  .meta({ example: '2026-11-22T09:30:00Z' })

/** The first moment of a day in UTC. */
export function dayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)
}

/** The first moment after a day in UTC. */
export function endOfDay(at: Date): Date {
  return new Date(dayOf(at).getTime() + DAY_MS)
}

/** The first moment of a day, `YYYY-MM-DD`, in a time zone. */
export function beginningOfLocalDay(day: string, timezone: string): Date {
  return new Cron(`${day}T00:00:00`, { timezone, paused: true }).nextRun(new Date(0)) ?? new Date(`${day}T00:00:00Z`)
}

/** The moment at which a day is over in a time zone. */
export function endOfLocalDay(day: string, timezone: string): Date {
  return beginningOfLocalDay(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10), timezone)
}
