import type { Sweep } from '../../platform/work/sweeps.ts'
import { deleteExpired } from './rate-limit.store.ts'

// Long after the window, so that no counter in use is deleted. The library uses the clocks of the hosts.
const AFTER_MS = 3_600_000

/** Deletes counters whose window is over. */
export const expiredCountersSweep: Sweep = {
  name: 'rate-limits.expire',
  everySeconds: 600,
  run: (system, { limit }) => system.tx((tx) => deleteExpired(tx, system.clock.now().getTime() - AFTER_MS, limit)),
}
