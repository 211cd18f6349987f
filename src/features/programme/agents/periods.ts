const DAY_MS = 86_400_000

/** The interval of a trend that has neither too few nor too many points. */
export function intervalFor(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  now: Date,
): 'day' | 'week' | 'month' {
  if (from === undefined) return 'day'
  const days = ((to === undefined ? now : new Date(to)).getTime() - new Date(from).getTime()) / DAY_MS
  if (days <= 31) return 'day'
  return days <= 184 ? 'week' : 'month'
}
