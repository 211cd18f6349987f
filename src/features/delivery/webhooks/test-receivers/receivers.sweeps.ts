import type { Sweep } from '../../../../platform/work/sweeps.ts'
import { endExpired, isExpired } from './receivers.service.ts'

/** Ends test receivers whose hour is over. */
export const expiredReceiversSweep: Sweep = {
  name: 'webhooks.test-receivers',
  everySeconds: 60,
  isDue: isExpired,
  run: endExpired,
}
