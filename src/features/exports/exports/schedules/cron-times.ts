import { Cron } from 'croner'

const FIVE_FIELDS = /^(?:\S+\s+){4}\S+$/

/**
 * The first time after a moment. At an hour that is skipped it is the first moment after it, at an hour that comes twice
 * the first one. Null if none comes. Undefined if the text is no cron time.
 */
export function nextTime(cron: string, timezone: string, after: Date): Date | null | undefined {
  if (!FIVE_FIELDS.test(cron)) return undefined
  try {
    return new Cron(cron, { timezone, paused: true }).nextRun(after)
  } catch {
    return undefined
  }
}
