import { eachDueTenant, dueBy, listDueTenants } from '../../../platform/due-tenants.ts'
import type { TenantTx } from '../../../platform/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/sweeps.ts'
import { stageEmail } from '../../access/mail/mail.service.ts'
import { isMember } from '../../access/members/membership.service.ts'
import { surveyNames } from '../../surveys/surveys/survey-names.service.ts'
import * as store from './notifications.store.ts'

const BATCH = 200

/**
 * Sends waiting notifications, one workspace after another, until none is left or `limit` rounds were made. Returns the
 * number sent.
 */
export async function sendDueNotifications(system: SystemScope, options: SweepOptions): Promise<number> {
  let sent = 0
  for (let round = 0; round < options.limit && !options.signal.aborted; round++) {
    const inRound = await eachDueTenant(
      options,
      (after) => listDueTenants(system, dueBy('notifications', 'next_attempt_at', system.clock.now()), after),
      (tenantId) => sendOfTenant(system, tenantId),
    )
    if (inRound === 0) break
    sent += inRound
  }
  return sent
}

/**
 * Sends one batch of a workspace in one transaction: it stages the mails in the outbox and marks the rows. The outbox
 * calls the provider. Many events of one kind make one mail.
 */
export async function sendOfTenant(system: SystemScope, tenantId: TenantId): Promise<number> {
  const scope = system.tenant(tenantId, { type: 'system' })
  return scope.tx(async (tx) => {
    const due = await store.lockDue(tx, scope.clock.now(), BATCH)
    if (due.length === 0) return 0
    for (const [userId, rows] of Map.groupBy(
      due.filter(({ channel }) => channel === 'email'),
      (row) => row.user_id,
    )) {
      if (await isMember(tx, userId)) await stageMail(scope, tx, userId, rows)
    }
    await store.updateSent(
      tx,
      due.map(({ id }) => id),
      scope.clock.now(),
    )
    return due.length
  })
}

async function stageMail(scope: Scope, tx: TenantTx, userId: Id<'user'>, rows: store.DueNotification[]): Promise<void> {
  const surveyIds = [...new Set(rows.map((row) => row.survey_id).filter((id) => id !== null))]
  const names = await surveyNames(tx, surveyIds)
  const lines = [...Map.groupBy(rows, (row) => `${row.event} ${row.survey_id ?? ''}`).values()].map((same) => {
    const [first] = same
    const survey = first?.survey_id ? names.get(first.survey_id) : undefined
    return `${same.length} × ${first?.event}${survey ? ` of the survey “${survey}”` : ''}`
  })
  const what = rows.length === 1 ? (rows[0]?.event ?? '') : `${rows.length} events`
  await stageEmail(scope, tx, {
    kind: 'notification',
    to: { userId },
    subject: `Earshot: ${what}`,
    text: `${lines.join('\n')}\n\nYou subscribed to these events. Your notifications: GET ${scope.settings.baseUrl}/v1/notifications\nTo stop them, delete the subscription: DELETE ${scope.settings.baseUrl}/v1/notification-subscriptions/<id>\n`,
  })
}
