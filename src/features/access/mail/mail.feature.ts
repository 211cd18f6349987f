import type { Feature } from '../../../platform/feature.ts'
import { personal } from './personal.service.ts'
import { finishedMailSweep, sendMailSweep } from './mail.sweeps.ts'

export const mail = {
  name: 'mail',
  sweeps: [sendMailSweep, finishedMailSweep],
  retention: [{ tables: ['outgoing_emails'], sweep: finishedMailSweep }],
  personal,
} satisfies Feature
