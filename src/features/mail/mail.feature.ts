import type { Feature } from '../../platform/feature.ts'
import { sendMailSweep } from './mail.sweeps.ts'

export const mail = { name: 'mail', sweeps: [sendMailSweep] } satisfies Feature
