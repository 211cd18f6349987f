import { getCountry } from 'countries-and-timezones'
import type { Channel } from '../../../platform/ports/provider.ts'
import { countryOf } from '../../trust/addresses/address.ts'
import { dateFormat } from '../../../platform/text/formats.ts'

/** Times of day such as `21:30`. The period may span midnight. */
export interface QuietHours {
  start: string
  end: string
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
// Small steps, because clocks may change on the way. Two days, because the zones of one country may be quiet in turn.
const STEP_MINUTES = 30
const MOST_STEPS = 96

/** All time zones of a country (ISO 3166), because a phone number reveals only the country. */
export function zonesOf(country: string | null): string[] {
  return (country !== null && getCountry(country as 'US')?.timezones) || []
}

/** The first time from `at` on that is quiet in none of the zones. Null if there is none. */
export function awakeAt(quiet: QuietHours, zones: string[], at: Date): Date | null {
  let moment = at
  for (let step = 0; step < MOST_STEPS; step++) {
    const waits = zones.map((zone) => minutesOfQuiet(quiet, minuteOfDay(zone, moment)))
    const longest = Math.max(0, ...waits)
    if (longest === 0) return moment
    const whole = Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS
    moment = new Date(whole + Math.min(longest, STEP_MINUTES) * MINUTE_MS)
  }
  return null
}

/** How many minutes it stays quiet from a minute of the day on. 0 if it is not quiet. */
function minutesOfQuiet({ start, end }: QuietHours, minute: number): number {
  const [from, to] = [minutesIn(start), minutesIn(end)]
  const length = (to - from + DAY_MINUTES) % DAY_MINUTES
  const into = (minute - from + DAY_MINUTES) % DAY_MINUTES
  return into < length ? length - into : 0
}

function minutesIn(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

function minuteOfDay(zone: string, moment: Date): number {
  const format = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return minutesIn(dateFormat('en-GB', format).format(moment))
}

export interface TimingRules {
  quietHours: QuietHours | null
  /** The time zone of the workspace. */
  timezone: string
}

interface Sleep {
  quiet_hours: QuietHours | null
  timezone: string | null
}

/** A number's own quiet hours and time zone override those of the workspace. */
export function timingRules(workspace: Sleep & { timezone: string }, sender: Sleep | null | undefined): TimingRules {
  return { quietHours: sender?.quiet_hours ?? workspace.quiet_hours, timezone: sender?.timezone ?? workspace.timezone }
}

/**
 * The possible time zones of a person: the given one, else those of the phone number's country, else the workspace's.
 */
function zonesFor(channel: Channel, address: string, told: string | null, fallback: string): string[] {
  if (told !== null) return [told]
  const zones = channel === 'email' ? [] : zonesOf(countryOf(address))
  return zones.length > 0 ? zones : [fallback]
}

/**
 * The first time from `at` on that is not quiet in any of the zones. Null if there is none. Computed once for each set
 * of zones.
 */
export function createTiming(
  { quietHours, timezone }: TimingRules,
  at: Date,
): (channel: Channel, address: string, told: string | null) => Date | null {
  const known = new Map<string, Date | null>()
  return (channel, address, told) => {
    if (quietHours === null) return at
    const zones = zonesFor(channel, address, told, timezone)
    const key = zones.join()
    if (!known.has(key)) known.set(key, awakeAt(quietHours, zones, at))
    return known.get(key) ?? null
  }
}
