import type { Feature } from '../../../platform/feature.ts'
import { tenantEngine } from '../../../platform/work/tenant-engine.ts'
import { MAIL } from './mail.service.ts'
import { personal } from './personal.service.ts'
import { finishedMailSweep, sendMailSweep } from './mail.sweeps.ts'
import { sendMailOf } from './outbox.service.ts'

export const mail = {
  name: 'mail',
  engines: { [MAIL]: tenantEngine({ work: sendMailOf, failed: 'mail was not sent: the sweep tries again' }) },
  sweeps: [sendMailSweep, finishedMailSweep],
  retention: [{ tables: ['outgoing_emails'], sweep: finishedMailSweep }],
  personal,
} satisfies Feature
