import type { ShortUrl } from '../../links/short-urls.ts'

/** Whether a short link still leads somewhere, and if not, why. */
export type LinkState = 'works' | 'ended' | 'used_up'

export function stateOf({ expires_at, max_clicks, clicks }: ShortUrl, now: number): LinkState {
  if (expires_at !== null && Date.parse(expires_at) <= now) return 'ended'
  return max_clicks !== null && clicks >= max_clicks ? 'used_up' : 'works'
}
