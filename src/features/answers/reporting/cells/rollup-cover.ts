export const QUARTER_MS = 15 * 60_000
export const DAY_MS = 24 * 60 * 60_000

/** A half-open span of time. */
export interface Span {
  since: Date
  until: Date
}

/** The part of a survey's past that has rollups. */
export interface Rolled {
  until: Date
  /** The start times of earlier quarters that changed afterwards, in order. */
  stale: Date[]
}

/**
 * How to count a period: by rollups of whole days (UTC) and quarters of an hour, and by single responses. Rollups of
 * stale quarters are subtracted, and their responses are read one by one.
 */
export interface Cover {
  days: Span[]
  quarters: Span[]
  stale: Span[]
  live: Span[]
}

/** In every present time zone, midnight is the start of a quarter. */
export function quarterOf(moment: Date): Date {
  return new Date(floor(moment.getTime(), QUARTER_MS))
}

/**
 * Covers the time from the first cut to the last. No rollup crosses a cut.
 * @param rolled null to count everything from responses.
 */
export function coverBetween(cuts: readonly Date[], rolled: Rolled | null): Cover {
  const cover: Cover = { days: [], quarters: [], stale: [], live: [] }
  const changed = rolled?.stale.map((quarter) => quarter.getTime()) ?? []
  for (const [i, cut] of cuts.slice(1).entries()) {
    const [start, end] = [(cuts[i] ?? cut).getTime(), cut.getTime()]
    const since = ceil(start, QUARTER_MS)
    const until = rolled ? Math.max(since, floor(Math.min(end, rolled.until.getTime()), QUARTER_MS)) : since
    addRolled(cover, since, until)
    const stale = changed.filter((at) => at >= since && at < until)
    for (const at of stale) add(cover.stale, at, at + QUARTER_MS)
    add(cover.live, start, Math.min(since, end))
    for (const at of stale) add(cover.live, at, at + QUARTER_MS)
    add(cover.live, Math.max(until, start), end)
  }
  return cover
}

/** The whole days that these ordered spans touch, each once, if they end by `until`. */
export function daysAround(spans: readonly Span[], until: Date): Span[] {
  const days: Span[] = []
  for (const span of spans) {
    const after = days.at(-1)?.until.getTime() ?? -Infinity
    add(
      days,
      Math.max(after, floor(span.since.getTime(), DAY_MS)),
      Math.min(ceil(span.until.getTime(), DAY_MS), floor(until.getTime(), DAY_MS)),
    )
  }
  return days
}

function addRolled(cover: Cover, since: number, until: number): void {
  const [firstDay, lastDay] = [ceil(since, DAY_MS), floor(until, DAY_MS)]
  if (firstDay >= lastDay) return add(cover.quarters, since, until)
  add(cover.quarters, since, firstDay)
  add(cover.days, firstDay, lastDay)
  add(cover.quarters, lastDay, until)
}

/** Adds a span, or lengthens the last one. */
export function add(spans: Span[], since: number, until: number): void {
  if (since >= until) return
  const before = spans.at(-1)
  if (before && before.until.getTime() === since) before.until = new Date(until)
  else spans.push({ since: new Date(since), until: new Date(until) })
}

/** The last multiple of `step` up to `ms`. */
export function floor(ms: number, step: number): number {
  return Math.floor(ms / step) * step
}

/** The first multiple of `step` from `ms` on. */
export function ceil(ms: number, step: number): number {
  return Math.ceil(ms / step) * step
}
