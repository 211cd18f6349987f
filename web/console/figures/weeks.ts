const WEEK_MS = 7 * 86_400_000
// The epoch was a Thursday, and weeks begin on Monday in UTC, as those of the API.
const MONDAY_MS = 4 * 86_400_000

/** The counts of the last weeks before a moment. Weeks that a trend leaves out have none. */
export function lastWeeks(trend: Array<{ at: string; n: number }>, to: string, weeks: number): number[] {
  const counts = new Map(trend.map(({ at, n }) => [Date.parse(at), n]))
  const last = Math.floor((Date.parse(to) - 1 - MONDAY_MS) / WEEK_MS) * WEEK_MS + MONDAY_MS
  return Array.from({ length: weeks }, (_, place) => counts.get(last - (weeks - 1 - place) * WEEK_MS) ?? 0)
}
