import type { Sweep } from '../../platform/sweeps.ts'
import { sendDueMail } from './outbox.service.ts'

export const sendMailSweep: Sweep = { name: 'mail.send', everySeconds: 5, run: sendDueMail }
