import type { Opening } from '../../surveys/surveys/openness.ts'
import { opennessOf } from '../../surveys/surveys/openness.ts'

/** The facts about a claimed send right before a provider is called. */
export interface Standing {
  invitation: { cancelled_at: Date | null } | undefined
  opening: Opening | undefined
  erased: boolean
  suppressed: boolean
  /** The person has answered this invitation. */
  answered: boolean
  /** When the person may be disturbed: now, later, or never. */
  awakeAt: Date | null
  /** A provider may have the message already. */
  inDoubt: boolean
}

export type Decision =
  | { kind: 'send' }
  | { kind: 'ended'; as: 'skipped' | 'cancelled'; reason: string | null }
  | { kind: 'waiting'; until: Date }

/**
 * Whether a message still goes out: much may have changed since the invitation was accepted. A message in doubt is
 * repeated under its key without regard to quiet hours and to an answer, because its person may have it already. All
 * else ends it too (docs/sending.md, "When a process dies in between").
 */
export function decide(standing: Standing, now: Date): Decision {
  const { invitation, opening, erased, suppressed, answered, awakeAt, inDoubt } = standing
  if (!invitation || invitation.cancelled_at) return { kind: 'ended', as: 'cancelled', reason: null }
  if (erased) return { kind: 'ended', as: 'skipped', reason: 'erased' }
  if (!opening || opennessOf(opening, now) !== 'open')
    return { kind: 'ended', as: 'skipped', reason: 'survey_not_live' }
  if (answered && !inDoubt) return { kind: 'ended', as: 'skipped', reason: 'answered' }
  if (suppressed) return { kind: 'ended', as: 'skipped', reason: 'suppressed' }
  if (inDoubt) return { kind: 'send' }
  if (awakeAt === null || (opening.closes_at !== null && awakeAt >= opening.closes_at))
    return { kind: 'ended', as: 'skipped', reason: 'quiet_hours' }
  return awakeAt > now ? { kind: 'waiting', until: awakeAt } : { kind: 'send' }
}
