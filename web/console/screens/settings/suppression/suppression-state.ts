import type { Schemas } from '../../../../api/client.ts'
import { SEND_CHANNELS } from '../../../../../src/platform/ports/provider.ts'

type Channel = Schemas['SendChannel']
type Reason = Schemas['SuppressionReason']

export const REASONS: Reason[] = ['manual', 'hard_bounce', 'unsubscribe', 'stop_keyword', 'complaint', 'erasure']

/** The state of the screen, as its address says it. */
export interface SuppressionState {
  channel?: Channel
  reason?: Reason
  show?: 'lifts'
}

export function readSuppressionState({ channel, reason, show }: Record<string, unknown>): SuppressionState {
  const [known, why] = [SEND_CHANNELS.find((each) => each === channel), REASONS.find((each) => each === reason)]
  return { ...(known && { channel: known }), ...(why && { reason: why }), ...(show === 'lifts' && { show }) }
}
