import { dueBy, hasDue } from '../../../platform/work/due-tenants.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { sendDueMail } from './outbox.service.ts'

export const sendMailSweep: Sweep = {
  name: 'mail.send',
  everySeconds: 300,
  isDue: (tx, now, among) => hasDue(tx, among, dueBy('outgoing_emails', 'next_attempt_at', now)),
  run: sendDueMail,
}

/** Deletes the record of a sent mail after `RETENTION_MAIL_DAYS`. Its text was deleted when it was sent. */
export const finishedMailSweep: Sweep = {
  name: 'mail.retention',
  everySeconds: 3600,
  run: (system, options) =>
    removeOldRows(system, options, {
      table: 'outgoing_emails',
      agedBy: 'finished_at',
      days: system.settings.retention.mailDays,
    }),
}
