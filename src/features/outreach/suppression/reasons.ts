/** Why a person is not contacted, weakest first. A weaker reason never replaces a stronger one. */
export const REASONS = ['manual', 'hard_bounce', 'unsubscribe', 'stop_keyword', 'complaint', 'erasure'] as const

export type SuppressionReason = (typeof REASONS)[number]

export function strengthOf(reason: SuppressionReason): number {
  return REASONS.indexOf(reason)
}

/** The person does not want to hear from the workspace, on whatever channel they said so. */
export function isObjection(reason: SuppressionReason): boolean {
  return reason !== 'manual' && reason !== 'hard_bounce'
}

/** The person objected to the provider or carrier, so only their own later consent ends it. */
export function needsEvidence(reason: SuppressionReason): boolean {
  return reason === 'stop_keyword' || reason === 'complaint'
}
