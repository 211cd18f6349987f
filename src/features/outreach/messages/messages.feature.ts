import type { Feature } from '../../../platform/feature.ts'
import type { Channel } from '../../../platform/ports/provider.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { dispatchMessages, hasDueMessages, recoverMessages } from './author.service.ts'

const dispatchBy = (channel: Channel): Sweep => ({
  name: `dispatch.${channel}`,
  everySeconds: 300,
  isDue: (tx, now, among) => hasDueMessages(tx, among, channel, now),
  // It goes on until nothing is due, so it need not run again at once.
  run: async (system, options) => Math.min(await dispatchMessages(system, channel, options), options.limit - 1),
})

/** One for each channel: a slow provider holds up no other. */
export const dispatchSweeps = { email: dispatchBy('email'), sms: dispatchBy('sms'), voice: dispatchBy('voice') }

export const recoverSendsSweep: Sweep = {
  name: 'dispatch.recover',
  everySeconds: ({ recoverySweepSeconds }) => recoverySweepSeconds,
  run: recoverMessages,
}

export const messages = {
  name: 'messages',
  sweeps: [dispatchSweeps.email, dispatchSweeps.sms, dispatchSweeps.voice, recoverSendsSweep],
} satisfies Feature
