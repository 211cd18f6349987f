import { Cron } from 'croner'

/** Whether a text is a cron expression of five parts. */
export function isCron(text: string): boolean {
  try {
    return cronOf(text, 'UTC').nextRun(new Date(0)) !== null
  } catch {
    return false
  }
}

/**
 * The next time after a moment. A time that a change of the clocks leaves out comes an hour later, and one that they
 * repeat comes once. Null for a day that never comes.
 */
export function nextTime({ cron, timezone }: { cron: string; timezone: string }, after: Date): Date | null {
  return cronOf(cron, timezone).nextRun(after)
}

function cronOf(cron: string, timezone: string): Cron {
  return new Cron(cron, { timezone, paused: true, mode: '5-part' })
}
