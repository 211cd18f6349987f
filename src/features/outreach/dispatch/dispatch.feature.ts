import type { Feature } from '../../../platform/feature.ts'
import { dispatchSweeps, recoverSendsSweep } from './dispatch.sweeps.ts'

export const dispatch = {
  name: 'dispatch',
  sweeps: [dispatchSweeps.email, dispatchSweeps.sms, dispatchSweeps.voice, recoverSendsSweep],
} satisfies Feature
