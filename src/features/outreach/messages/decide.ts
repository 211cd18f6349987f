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
}

export type Decision =
  | { kind: 'send' }
  | { kind: 'ended'; as: 'skipped' | 'cancelled'; reason: string | null }
  | { kind: 'waiting'; until: Date }

/** Whether a message still goes out: much may have changed since the invitation was accepted. */
export function decide({ invitation, opening, erased, suppressed, answered, awakeAt }: Standing, now: Date): Decision {
  if (!invitation || invitation.cancelled_at) return { kind: 'ended', as: 'cancelled', reason: null }
  if (erased) return { kind: 'ended', as: 'skipped', reason: 'erased' }
  if (!opening || opennessOf(opening, now) !== 'open')
    return { kind: 'ended', as: 'skipped', reason: 'survey_not_live' }
  if (answered) return { kind: 'ended', as: 'skipped', reason: 'answered' }
  if (suppressed) return { kind: 'ended', as: 'skipped', reason: 'suppressed' }
  if (awakeAt === null || (opening.closes_at !== null && awakeAt >= opening.closes_at))
    return { kind: 'ended', as: 'skipped', reason: 'quiet_hours' }
  return awakeAt > now ? { kind: 'waiting', until: awakeAt } : { kind: 'send' }
}
