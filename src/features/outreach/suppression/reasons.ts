/** Why somebody is not contacted, the weakest first: a weaker reason never takes the place of a stronger one. */
export const REASONS = ['manual', 'hard_bounce', 'unsubscribe', 'stop_keyword', 'complaint', 'erasure'] as const

export type SuppressionReason = (typeof REASONS)[number]

export function strengthOf(reason: SuppressionReason): number {
  return REASONS.indexOf(reason)
}

/** The person said no to somebody else than us: only their own later word ends it. */
export function needsEvidence(reason: SuppressionReason): boolean {
  return reason === 'stop_keyword' || reason === 'complaint'
}
