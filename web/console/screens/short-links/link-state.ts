import type { Schemas } from '../../../api/client.ts'

/** Whether a short link still leads somewhere, and if not, why. */
export type LinkState = 'works' | 'ended' | 'used_up'

export function stateOf({ expires_at, max_clicks, clicks }: Schemas['ShortUrl'], now: number): LinkState {
  if (expires_at !== null && Date.parse(expires_at) <= now) return 'ended'
  return max_clicks !== null && clicks >= max_clicks ? 'used_up' : 'works'
}
