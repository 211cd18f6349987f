import type { Channel } from '../../../platform/channel.ts'
import type { Sweep } from '../../../platform/sweeps.ts'
import { dispatchDue } from './dispatch.service.ts'
import { listTenants } from './dispatch.store.ts'
import { recoverInterrupted } from './recovery.service.ts'

const dispatchBy = (channel: Channel): Sweep => ({
  name: `dispatch.${channel}`,
  everySeconds: 300,
  isDue: async (tx, now) => (await listTenants(tx, channel, 'queued', now, null)).length > 0,
  // It goes on until nothing is due, so it is not to be run again at once.
  run: async (system, options) => Math.min(await dispatchDue(system, channel, options), options.limit - 1),
})

/** One for each channel: a slow provider holds up no other. */
export const dispatchSweeps = { email: dispatchBy('email'), sms: dispatchBy('sms'), voice: dispatchBy('voice') }

export const recoverSendsSweep: Sweep = { name: 'dispatch.recover', everySeconds: ({ recoverySweepSeconds }) => recoverySweepSeconds, run: recoverInterrupted }
