import { uuidv7 } from 'uuidv7'
import type { BacklogRow } from '../../../platform/work/due-tenants.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { EmailAttachment } from '../../../platform/ports/email-port.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import * as store from './mail.store.ts'

/** The nil tenant owns mail of the platform itself: a password reset belongs to an account, not to a workspace. */
export const PLATFORM_TENANT = '00000000-0000-0000-0000-000000000000' as TenantId

/** The kind of the mail that proves a mailbox. A workspace sends it before its maker is proven. */
export const VERIFICATION_MAIL = 'verification'

/** The wake topic of the outbox. */
export const MAIL = 'mail'

/** An address, or a member whose address is looked up when the mail is sent. */
export type Recipient = string | { userId: Id<'user'> }

export interface NewEmail {
  /** The kind of mail for operators, such as `member_invitation`. */
  kind: string
  to: Recipient
  subject: string
  text: string
  /** Absent: the text in our frame. */
  html?: string
  /** Of the text. */
  language?: string
  /** Responses (`rsp_…`) whose words are in it, so that an erasure finds it. Never sent. */
  about?: string[]
  /** The words on the button for an address on a line of its own. */
  action?: string
  attachments?: EmailAttachment[]
}

/** The part of a mail that is encrypted in its row. */
export type SealedEmail = Omit<NewEmail, 'kind'>

/**
 * Puts a mail into the outbox in the caller's transaction, so that both commit or neither does. The commit
 * wakes the outbox, because a person may wait for it.
 */
export async function stageEmail(scope: Scope, tx: TenantTx, { kind, ...email }: NewEmail): Promise<void> {
  const id = uuidv7()
  const sealed = scope.secrets.seal(JSON.stringify(email satisfies SealedEmail), sealContext(id))
  await store.insertEmail(tx, { id, kind, sealed, now: scope.clock.now() })
  scope.wakeAfter(tx, MAIL, { group: MAIL, ids: [] })
}

/** Mail of this workspace that waits to be sent. */
export async function countWaitingMail(tx: ReadTx): Promise<{ depth: number; oldestAt: Date | null }> {
  const { depth, oldest_at } = await store.selectBacklog(tx)
  return { depth, oldestAt: oldest_at }
}

/** Mail that waits to be sent, in all workspaces. */
export function readMailBacklog(system: SystemScope): Promise<BacklogRow[]> {
  return system.tx(store.listBacklog)
}

/** An encrypted mail opens only in its own row. */
export function sealContext(id: string): string {
  return `outgoing_emails:${id}`
}
