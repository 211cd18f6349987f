import { DateTime, IANAZone } from 'luxon'

export interface BusinessHours {
  /** 1 is Monday, 7 is Sunday. */
  weekdays: number[]
  /** Times of one day, such as `09:00`. */
  start: string
  end: string
  /** Days without work, such as `2026-12-25`. */
  holidays: string[]
}

/** The moment at which `minutes` of working time have passed. */
export type AfterWorking = (minutes: number) => Date

// A workspace that rests for longer gets the plain time.
const MOST_DAYS = 4_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const WEEK = 7

/**
 * Counts working time from a moment. The days ahead are laid out once, as far as an asked time needs, and each further
 * one is searched in them: 200 deadlines that are never reached took 10 s, each on its own.
 */
export function workingFrom(from: Date, hours: BusinessHours | null, timezone: string): AfterWorking {
  const plain = (minutes: number) => new Date(from.getTime() + minutes * MINUTE_MS)
  if (hours === null) return plain
  const ahead = spansFrom(from, hours, timezone)
  const spans: Span[] = []
  return (minutes) => {
    const wantedMs = minutes * MINUTE_MS
    while ((spans.at(-1)?.untilMs ?? -Infinity) < wantedMs) {
      const next = ahead.next()
      if (next.done) return plain(minutes)
      spans.push(next.value)
    }
    const { opensMs, beforeMs } = firstReaching(spans, wantedMs)
    return new Date(opensMs + wantedMs - beforeMs)
  }
}

/** Working time of one day. */
interface Span {
  opensMs: number
  /** Working time before it, and up to its end. */
  beforeMs: number
  untilMs: number
}

function* spansFrom(from: Date, hours: BusinessHours, timezone: string): Generator<Span, void> {
  const weekdays = new Set(hours.weekdays)
  const holidays = new Set(hours.holidays.map((day) => Date.parse(day)))
  const [start, end] = [minuteOf(hours.start), minuteOf(hours.end)]
  const first = DateTime.fromJSDate(from, { zone: timezone })
  const firstDay = Date.UTC(first.year, first.month - 1, first.day)
  const zone = IANAZone.create(timezone)
  let beforeMs = 0
  for (let week = 0; week < MOST_DAYS; week += WEEK) {
    const momentsOf = clockOf(firstDay + week * DAY_MS, zone)
    for (let day = firstDay + week * DAY_MS; day < firstDay + (week + WEEK) * DAY_MS; day += DAY_MS) {
      if (!weekdays.has(new Date(day).getUTCDay() || WEEK) || holidays.has(day)) continue
      const [startsMs, endsMs] = momentsOf(day, start, end)
      const opensMs = Math.max(startsMs, from.getTime())
      if (endsMs < opensMs) continue
      const untilMs = beforeMs + endsMs - opensMs
      yield { opensMs, beforeMs, untilMs }
      beforeMs = untilMs
    }
  }
}

/** Spans ascend, and the last one reaches the wanted time. */
function firstReaching(spans: Span[], wantedMs: number): Span {
  let [low, high] = [0, spans.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle] as Span).untilMs < wantedMs) low = middle + 1
    else high = middle
  }
  return spans[low] as Span
}

/**
 * Finds the moments of two minutes of a day, in the week from `firstDay`. Days are midnights in UTC. Most weeks have
 * one offset. In the others, the clock is asked only for the days about the change.
 */
function clockOf(firstDay: number, zone: IANAZone): (day: number, start: number, end: number) => [number, number] {
  const [before, after] = [zone.offset(firstDay - DAY_MS), zone.offset(firstDay + (WEEK + 1) * DAY_MS)]
  const at = (offset: number, day: number, minute: number) => day + (minute - offset) * MINUTE_MS
  if (before === after) return (day, start, end) => [at(before, day, start), at(before, day, end)]
  const known = new Map<number, number>()
  const offsetOn = (day: number) => {
    const offset = known.get(day) ?? zone.offset(day)
    known.set(day, offset)
    return offset
  }
  return (day, start, end) => {
    // Offsets are below a day, so a day and its moments lie between.
    const offset = offsetOn(day - DAY_MS)
    if ([day, day + DAY_MS, day + 2 * DAY_MS].every((other) => offsetOn(other) === offset))
      return [at(offset, day, start), at(offset, day, end)]
    const date = new Date(day)
    const midnight = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    const began = DateTime.fromObject(midnight, { zone }).startOf('day')
    const momentOf = (minute: number) => began.set({ hour: Math.floor(minute / 60), minute: minute % 60 }).toMillis()
    return [momentOf(start), momentOf(end)]
  }
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return hour * 60 + minute
}
