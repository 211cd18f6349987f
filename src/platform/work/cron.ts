import { Cron } from 'croner'

// Only what every cron has. The search for what else croner takes, such as `15W` on a weekend, tries each day of 8,000
// years: 300 ms in one step.
const PART = /^(?:\*|(?:\d{1,2}|[a-z]{3})(?:-(?:\d{1,2}|[a-z]{3}))?)(?:\/\d{1,2})?$/i
const FIELDS = 5
const LONGEST = 200

/**
 * The first time after a moment that a cron expression of five fields names. At an hour that a change of the clocks
 * skips it is the first moment after it, at an hour that comes twice the first one.
 * @returns null if none comes, such as for 30 February. Undefined if the text is no expression.
 */
export function nextTime({ cron, timezone }: { cron: string; timezone: string }, after: Date): Date | null | undefined {
  if (!isPlain(cron)) return undefined
  try {
    return new Cron(cron, { timezone, paused: true, mode: '5-part' }).nextRun(after)
  } catch {
    return undefined
  }
}

function isPlain(cron: string): boolean {
  if (cron.length > LONGEST) return false
  const fields = cron.trim().split(/\s+/)
  return fields.length === FIELDS && fields.every((field) => field.split(',').every((part) => PART.test(part)))
}
