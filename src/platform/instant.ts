import { z } from 'zod'

const DAY_MS = 86_400_000
const HOW = 'Use a time such as 2026-11-22T09:30:00Z, or a date such as 2026-11-22.'

const moment = z.iso.datetime({ offset: true, error: HOW })
const date = z.iso.date({ error: HOW })

/**
 * A time from a caller, within the years that every database and answer can hold: RFC 3339 with any offset, or a date.
 * A date means its midnight in UTC plus `afterMs`.
 */
function instantFrom(afterMs: number) {
  return z
    .union(
      [moment.transform((text) => new Date(text)), date.transform((text) => new Date(Date.parse(text) + afterMs))],
      { error: HOW },
    )
    .refine(
      (at) => at.getUTCFullYear() >= 1900 && at.getUTCFullYear() <= 9999,
      'Use a time between the years 1900 and 9999 in UTC.',
    )
    .meta({ example: '2026-11-22T09:30:00Z' })
}

/** A date means its first moment. */
export const instant = instantFrom(0)

/** The exclusive end of a period. A date includes the whole day. */
export const instantUntil = instantFrom(DAY_MS)
