import type { Schemas } from '../../../../api/client.ts'

type Channel = Schemas['SendChannel']
type Reason = Schemas['SuppressionReason']

export const CHANNELS: Channel[] = ['email', 'sms', 'voice']
export const REASONS: Reason[] = ['manual', 'hard_bounce', 'unsubscribe', 'stop_keyword', 'complaint', 'erasure']

/** The state of the screen, as its address says it. */
export interface SuppressionState {
  channel?: Channel
  reason?: Reason
  show?: 'lifts'
}

export function readSuppressionState({ channel, reason, show }: Record<string, unknown>): SuppressionState {
  const [known, why] = [CHANNELS.find((each) => each === channel), REASONS.find((each) => each === reason)]
  return { ...(known && { channel: known }), ...(why && { reason: why }), ...(show === 'lifts' && { show }) }
}
