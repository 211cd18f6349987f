import type { Opening } from '../../surveys/surveys/openness.ts'
import { opennessOf } from '../../surveys/surveys/openness.ts'

/** What is known of a claimed send right before a provider is called. */
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

export type Decision = { kind: 'send' } | { kind: 'end'; status: 'skipped' | 'cancelled'; reason: string | null } | { kind: 'wait'; until: Date }

/** Whether a message still goes out: what was true when the invitation was accepted may not be any more. */
export function decide({ invitation, opening, erased, suppressed, answered, awakeAt }: Standing, now: Date): Decision {
  if (!invitation || invitation.cancelled_at) return { kind: 'end', status: 'cancelled', reason: null }
  if (erased) return { kind: 'end', status: 'skipped', reason: 'erased' }
  if (!opening || opennessOf(opening, now) !== 'open') return { kind: 'end', status: 'skipped', reason: 'survey_not_live' }
  if (answered) return { kind: 'end', status: 'skipped', reason: 'answered' }
  if (suppressed) return { kind: 'end', status: 'skipped', reason: 'suppressed' }
  if (awakeAt === null || (opening.closes_at !== null && awakeAt >= opening.closes_at)) return { kind: 'end', status: 'skipped', reason: 'quiet_hours' }
  return awakeAt > now ? { kind: 'wait', until: awakeAt } : { kind: 'send' }
}
