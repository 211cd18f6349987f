import { dueBy, listDueTenants, untilNoneIsDueInSlots } from '../../../platform/work/due-tenants.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { stageEmail } from '../../access/mail/mail.service.ts'
import { memberPermissions } from '../../access/members/membership.service.ts'
import { sendChats } from './chats.service.ts'
import { compose, countRows } from './compose.service.ts'
import { letterOf } from './message.ts'
import * as store from './notifications.store.ts'
import { listLanguages } from './subscriptions.store.ts'

const BATCH = 200

// The chat of a workspace may hang, and holds up its own notifications alone.
const WORKSPACES = 8

/** Sends waiting notifications until none is left or `limit` batches were sent. Returns the number sent. */
export function sendDueNotifications(system: SystemScope, options: SweepOptions): Promise<number> {
  let batches = 0
  return untilNoneIsDueInSlots(
    options,
    { all: WORKSPACES, each: 1 },
    (after) => listDueTenants(system, dueBy('notifications', 'next_attempt_at', system.clock.now()), after),
    (tenantId) => {
      batches += 1
      return sendOfTenant(system, tenantId)
    },
    () => batches >= options.limit,
  )
}

/** Sends one batch of a workspace: mails and the list, then messages to chats. Returns the number of rows. */
export async function sendOfTenant(system: SystemScope, tenantId: TenantId): Promise<number> {
  const scope = system.tenant(tenantId, { type: 'system' })
  return (await sendMails(scope)) + (await sendChats(scope))
}

// In one transaction: it stages the mails in the outbox and marks the rows. The outbox calls the provider. All events
// of a member make one mail in each language.
function sendMails(scope: Scope): Promise<number> {
  return scope.tx(async (tx) => {
    const due = await store.lockDue(tx, scope.clock.now(), BATCH)
    if (due.length === 0) return 0
    const mails = due.filter(({ channel }) => channel === 'email')
    const subscriptions = [...new Set(mails.map((row) => row.subscription_id))]
    const languages = new Map((await listLanguages(tx, subscriptions)).map(({ id, language }) => [id, language]))
    for (const rows of Map.groupBy(mails, (row) => `${row.user_id} ${languages.get(row.subscription_id)}`).values())
      await stageMail(
        scope,
        tx,
        rows,
        languages.get(rows[0]?.subscription_id as Id<'notificationSubscription'>) ?? 'en',
      )
    await store.updateSent(
      tx,
      due.map(({ id }) => id),
      scope.clock.now(),
    )
    return due.length
  })
}

async function stageMail(scope: Scope, tx: TenantTx, rows: store.DueNotification[], language: string): Promise<void> {
  const [first] = rows
  const permissions = first ? await memberPermissions(tx, first.user_id) : null
  if (!first || !permissions) return
  const batch = { kind: 'events', counts: countRows(rows), latest: rows.toReversed() } as const
  const message = await compose(scope, tx, batch, { language, permissions })
  await stageEmail(scope, tx, {
    kind: 'notification',
    to: { userId: first.user_id },
    subject: `Earshot: ${message.title}`,
    text: letterOf(message, language, scope.settings.baseUrl),
    about: message.about,
  })
}
