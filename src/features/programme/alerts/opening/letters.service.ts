import type { TenantTx } from '../../../../platform/database/database.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { stageEmailToEach } from '../../../access/mail/mail.service.ts'
import { membersAmong } from '../../../access/members/membership.service.ts'
import { surveyNames } from '../../../surveys/surveys/published-surveys.service.ts'
import type { AlertRow } from '../alert.entity.ts'
import { openWords } from '../timeline.service.ts'

/** Mails those who are still members. Every member may read responses, so the mail has the score and the excerpt. */
export async function mailAlert(
  scope: Scope,
  tx: TenantTx,
  alert: AlertRow,
  to: Array<Id<'user'> | null>,
  about: { kind: 'alert_opened' | 'alert_escalated'; title: string },
): Promise<void> {
  const userIds = await membersAmong(tx, [...new Set(to.filter((id) => id !== null))])
  if (userIds.length === 0) return
  const text = await letter(scope, tx, alert, about.title)
  const mail = { kind: about.kind, subject: `Earshot: ${about.title}`, text }
  await stageEmailToEach(
    scope,
    tx,
    mail,
    userIds.map((userId) => ({ userId })),
  )
}

// The id of the response lets its erasure find a mail that still waits.
async function letter(scope: Scope, tx: TenantTx, alert: AlertRow, title: string): Promise<string> {
  const survey = alert.survey_id && (await surveyNames(tx, [alert.survey_id])).get(alert.survey_id)
  const excerpt = openWords(scope, alert.id, alert.excerpt)
  const lines = [
    title,
    '',
    `Priority: ${alert.priority}`,
    ...(survey ? [`Survey: ${survey}`] : []),
    ...(alert.score === null ? [] : [`Score: ${alert.score}`]),
    ...(alert.due_at ? [`Due: ${alert.due_at.toISOString()}`] : []),
    ...(alert.response_id ? [`Response: ${formatId('response', alert.response_id)}`] : []),
    ...(excerpt === null ? [] : ['', ...excerpt.split('\n').map((line) => `> ${line}`)]),
    '',
    'Sign in to read it:',
    '',
    `${scope.settings.baseUrl}/app/alerts/${formatId('alert', alert.id)}`,
  ]
  return `${lines.join('\n')}\n`
}
