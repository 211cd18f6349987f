import type { Feature } from '../../../platform/feature.ts'
import { tenantEngine } from '../../../platform/work/tenant-engine.ts'
import { LARGE_MAIL, MAIL } from './mail.service.ts'
import { dueMail, listBacklog } from './mail.store.ts'
import { personal } from './personal.service.ts'
import { sendDueLargeMail, sendDueMail, sendLargeMailOf, sendMailOf } from './outbox.service.ts'
import { hasDue } from '../../../platform/work/due-tenants.ts'
import { removeOldRows } from '../../../platform/work/retention.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'

export const sendMailSweep: Sweep = {
  name: 'mail.send',
  everySeconds: 300,
  isDue: (tx, now, among) => hasDue(tx, among, dueMail('small', now)),
  run: sendDueMail,
}

export const sendLargeMailSweep: Sweep = {
  name: 'mail.large',
  everySeconds: 900,
  isDue: (tx, now, among) => hasDue(tx, among, dueMail('large', now)),
  run: sendDueLargeMail,
}

const FAILED = 'mail was not sent: the sweep tries again'

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

export const mail = {
  name: 'mail',
  engines: {
    // Workspaces wait for places of mails, which go round among them.
    [MAIL]: tenantEngine({ work: sendMailOf, failed: FAILED, atOnce: 100 }),
    [LARGE_MAIL]: tenantEngine({ work: sendLargeMailOf, failed: FAILED, atOnce: 100 }),
  },
  sweeps: [sendMailSweep, sendLargeMailSweep, finishedMailSweep],
  // A content goes with the last of its mails that waits, and each ends after five attempts.
  retention: [{ tables: ['outgoing_emails', 'outgoing_email_contents'], sweep: finishedMailSweep }],
  parts: { queues: { emails: listBacklog } },
  personal,
} satisfies Feature
