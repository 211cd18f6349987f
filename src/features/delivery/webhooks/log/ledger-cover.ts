import type { PageRequest } from '../../../../platform/fields/sorting.ts'
import type { Id } from '../../../../platform/ids.ts'

/** Which deliveries of a workspace. A null reference is no valid id. */
export interface DeliveryFilter {
  status?: 'pending' | 'delivered' | 'failed' | 'dead_lettered' | undefined
  webhookId?: Id<'webhook'> | null | undefined
  event?: string | undefined
  surveyId?: Id<'survey'> | null | undefined
  since?: Date | undefined
  until?: Date | undefined
  /** Of these events alone. */
  eventIds?: Id<'event'>[]
  /** Leaves out examples that somebody sent to try a webhook. */
  withoutTests?: boolean
  /** Leaves out those of anonymous surveys, which have no subject. */
  withoutDays?: boolean
}

/** Stand for any webhook or survey, and for any event, where deliveries are counted. No delivery has these values. */
export const ANY_ID = '00000000-0000-0000-0000-000000000000'
export const ANY_EVENT = ''

/** Whether a filter asks for a reference that is no valid id, or for a value that no delivery has. */
export function matchesNothing({ webhookId, event, surveyId }: DeliveryFilter): boolean {
  return [webhookId, surveyId].some((id) => id === null || id === ANY_ID) || event === ANY_EVENT
}

/** From one id up to another, which is not in the range. */
export interface IdRange {
  from: string
  until: string
}

/** Deliveries with neighbouring ids, and how many of them match a filter when its bounds on time are ignored. */
export interface LedgerSpan {
  fromId: string
  untilId: string
  /** No counted delivery was created outside these two. */
  firstAt: Date
  lastAt: Date
  deliveries: number
  /** Not in `deliveries` yet, of those that match with the bounds on time: deliveries that came, less those gone. */
  changed: number
  /** The same without those gone. */
  arrived: number
}

/** A delivery that retention removed. */
export interface RemovedRow {
  id: string
  webhook_id: string
  event: string
  survey_id: string | null
  created_at: Date
}

type Bounds = Pick<DeliveryFilter, 'since' | 'until'>

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** Ranges of a page's first look. Each further look has twice as many. */
const FIRST_LOOK = 8

/**
 * How to count the deliveries that match a filter: `counted` by spans, and the ids `live` to be counted one by one.
 * Ids need not be in the order of `created_at`: where they are not, more is counted one by one.
 */
export function coverOf(spans: readonly LedgerSpan[], bounds: Bounds): { counted: number; live: IdRange[] } {
  let counted = 0
  const live: IdRange[] = []
  for (const span of spans) {
    const place = placeOf(span, bounds)
    if (place === 'across') add(live, { from: span.fromId, until: span.untilId })
    else counted += (place === 'inside' ? span.deliveries : 0) + span.changed
  }
  add(live, tailOf(spans))
  return { counted, live }
}

/** Where to look for a page, newest first and in portions. Each has enough for the page, as far as the spans tell. */
export function* looksFor(
  spans: readonly LedgerSpan[],
  bounds: Bounds,
  { before, limit }: PageRequest,
): Generator<IdRange[]> {
  let look: IdRange[] = []
  let sure = 0
  let most = FIRST_LOOK
  const tail = { ...tailOf(spans), sure: 0 }
  const rolled = spans.toReversed().flatMap((span) => {
    const place = placeOf(span, bounds)
    const maybe = span.arrived > 0 || (place !== 'outside' && span.deliveries > 0)
    return maybe
      ? [{ from: span.fromId, until: span.untilId, sure: place === 'inside' ? span.deliveries + span.changed : 0 }]
      : []
  })
  for (const range of [tail, ...rolled]) {
    if (before !== null && range.from >= before) continue
    const cut = before !== null && before < range.until
    look.push({ from: range.from, until: cut ? before : range.until })
    sure += cut ? 0 : range.sure
    if (sure <= limit && look.length < most) continue
    yield look
    look = []
    sure = 0
    most *= 2
  }
  if (look.length > 0) yield look
}

function placeOf({ firstAt, lastAt }: LedgerSpan, { since, until }: Bounds): 'inside' | 'outside' | 'across' {
  if ((since && lastAt < since) || (until && firstAt >= until)) return 'outside'
  return (since && firstAt < since) || (until && lastAt >= until) ? 'across' : 'inside'
}

function tailOf(spans: readonly LedgerSpan[]): IdRange {
  return { from: spans.at(-1)?.untilId ?? ANY_ID, until: LAST_ID }
}

function add(ranges: IdRange[], range: IdRange): void {
  const before = ranges.at(-1)
  if (before?.until === range.from) before.until = range.until
  else ranges.push(range)
}
