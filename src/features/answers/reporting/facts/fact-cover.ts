import { add, floor, DAY_MS, QUARTER_MS, type Span } from '../cells/rollup-cover.ts'

/** A piece of one day, without the parts that changed since its facts were made. */
export interface Segment extends Span {
  /** The start of its day, which has facts. */
  day: Date
  slot: number
}

/** How to count a filtered period: by facts, and by single responses. */
export interface FactCover {
  segments: Segment[]
  live: Span[]
}

/**
 * Covers the time from the first cut to the last. Slot 1 begins at the first cut.
 * @param days those that have facts, in order.
 * @param stale the start times of quarters that changed afterwards, in order.
 */
export function coverByFacts(cuts: readonly Date[], days: readonly Date[], stale: readonly Date[]): FactCover {
  const cover: FactCover = { segments: [], live: [] }
  const built = new Set(days.map((day) => day.getTime()))
  const changed = Map.groupBy(
    stale.map((quarter) => quarter.getTime()),
    (quarter) => floor(quarter, DAY_MS),
  )
  for (const [index, cut] of cuts.slice(1).entries()) {
    const end = cut.getTime()
    let at = (cuts[index] ?? cut).getTime()
    while (at < end) {
      const day = floor(at, DAY_MS)
      const until = Math.min(end, day + DAY_MS)
      if (built.has(day)) coverDay(cover, { day, slot: index + 1, since: at, until }, changed.get(day) ?? [])
      else add(cover.live, at, until)
      at = until
    }
  }
  return cover
}

function coverDay(
  cover: FactCover,
  piece: { day: number; slot: number; since: number; until: number },
  stale: number[],
): void {
  let at = piece.since
  const take = (until: number) => {
    if (until > at)
      cover.segments.push({ day: new Date(piece.day), slot: piece.slot, since: new Date(at), until: new Date(until) })
  }
  for (const quarter of stale) {
    const [since, until] = [Math.max(quarter, at), Math.min(quarter + QUARTER_MS, piece.until)]
    if (since >= until) continue
    take(since)
    add(cover.live, since, until)
    at = until
  }
  take(piece.until)
}
