import type { TenantTx } from '../../../platform/database.ts'
import { newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { openRecipient, sealRecipient } from './recipient.ts'
import * as store from './reminders.store.ts'

/** A message to the person of another send, due at a moment. */
export interface Reminder {
  after: Id<'send'>
  at: Date
}

/** Queues reminders, each with its own sealed copy of the recipient; a person who was erased gets none. */
export async function queueReminders(scope: Scope, tx: TenantTx, reminders: Reminder[]): Promise<void> {
  if (reminders.length === 0) return
  const recipients = await store.listRecipients(
    tx,
    reminders.map(({ after }) => after),
  )
  const rows = reminders.flatMap(({ after, at }) => {
    const sealed = recipients.get(after)
    if (sealed === undefined) return []
    const id = newId('send')
    return [
      {
        id,
        afterId: after,
        recipient: sealRecipient(scope.secrets, id, openRecipient(scope.secrets, after, sealed)),
        nextAttemptAt: at,
      },
    ]
  })
  if (rows.length > 0) await store.insertReminders(tx, rows, scope.clock.now())
}
