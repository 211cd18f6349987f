import { z } from 'zod'

const DAY_MS = 86_400_000
const HOW = 'Use a time such as 2026-11-22T09:30:00Z, or a date such as 2026-11-22.'

const moment = z.iso.datetime({ offset: true, error: HOW })
const date = z.iso.date({ error: HOW })

const IN_RANGE = 'Use a time between the years 1900 and 9999 in UTC.'
const inRange = (at: Date) => at.getUTCFullYear() >= 1900 && at.getUTCFullYear() <= 9999
const time = moment.transform((text) => new Date(text)).refine(inRange, IN_RANGE)

/**
 * A time from a caller, within the years that every database and answer can hold: RFC 3339 with any offset, or a date.
 * A date means its midnight in UTC plus `afterMs`.
 */
function instantFrom(afterMs: number) {
  const midnight = date.transform((text) => new Date(Date.parse(text) + afterMs)).refine(inRange, IN_RANGE)
  return z.union([time, midnight], { error: HOW }).meta({ example: '2026-11-22T09:30:00Z' })
}

/** A date means its first moment. */
export const instant = instantFrom(0)

/** The exclusive end of a period. A date includes the whole day. */
export const instantUntil = instantFrom(DAY_MS)

/** A day of a caller, `YYYY-MM-DD`. */
export interface LocalDay {
  day: string
}

/** A time, or the whole of a day in the time zone of the workspace. `timeOf` (workspaces) finds where it begins or ends. */
export const instantOrDay = z
  .union([time, date.transform((day): LocalDay => ({ day })).refine(({ day }) => inRange(new Date(day)), IN_RANGE)], {
    error: HOW,
  })
  .meta({ example: '2026-11-22T09:30:00Z' })
