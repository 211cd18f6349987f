import { Cron } from 'croner'

const CRON = { daily: '0 8 * * *', weekly: '0 8 * * 1' }

/** The next digest after a moment: at 8:00 in the workspace's zone, weekly on Mondays. */
export function nextDigestAt(digest: keyof typeof CRON, timezone: string, after: Date): Date {
  const next = new Cron(CRON[digest], { timezone, paused: true, mode: '5-part' }).nextRun(after)
  if (!next) throw new Error('a digest has no next time')
  return next
}
