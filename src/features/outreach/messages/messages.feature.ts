import type { Feature } from '../../../platform/feature.ts'
import { dispatchSweeps, recoverSendsSweep } from './messages.sweeps.ts'

export const messages = {
  name: 'messages',
  sweeps: [dispatchSweeps.email, dispatchSweeps.sms, dispatchSweeps.voice, recoverSendsSweep],
} satisfies Feature
