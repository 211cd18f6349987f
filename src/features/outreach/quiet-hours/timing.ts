import type { Channel } from '../../../platform/ports/provider.ts'
import { countryOf } from '../../trust/addresses/address.ts'
import { awakeAt, zonesOf, type QuietHours } from './quiet-hours.ts'

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
