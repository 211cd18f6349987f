import { uuidv7 } from 'uuidv7'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import type { EmailAttachment } from '../../../platform/ports/email-port.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { nextTurn } from '../../../platform/loop/turns.ts'
import * as store from './mail.store.ts'

/** The nil tenant owns mail of the platform itself: a password reset belongs to an account, not to a workspace. */
export const PLATFORM_TENANT = '00000000-0000-0000-0000-000000000000' as TenantId

/** The kind of the mail that proves a mailbox. A workspace sends it before its maker is proven. */
export const VERIFICATION_MAIL = 'verification'

/** Encrypting so many letters takes 5 ms, and so does writing or reading them as JSON. */
const LONG = 1_000_000

/** Sealed. A mail that is sent is in memory several times over. */
const LARGE_BYTES = 300_000

/** The wake topics of the outbox. */
export const MAIL = 'mail'
export const LARGE_MAIL = 'mail.large'

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
/** The encrypted part that many mails share. */
export type SealedContent = Omit<SealedEmail, 'to'>

/**
 * Puts a mail into the outbox in the caller's transaction, so that both commit or neither does. The commit
 * wakes the outbox, because a person may wait for it.
 */
export async function stageEmail(scope: Scope, tx: TenantTx, { kind, ...email }: NewEmail): Promise<void> {
  const id = uuidv7()
  const sealed = scope.secrets.seal(JSON.stringify(email satisfies SealedEmail), sealContext(id))
  const isLarge = sealed.length >= LARGE_BYTES
  await store.insertEmail(tx, { id, kind, sealed, content_id: null, is_large: isLarge }, scope.clock.now())
  wakeOutbox(scope, tx, isLarge)
}

/** The same mail to many, as `stageEmail` does. Its words and attachments are stored once. */
export async function stageEmailToEach(
  scope: Scope,
  tx: TenantTx,
  mail: Omit<NewEmail, 'to'>,
  recipients: Recipient[],
): Promise<void> {
  if (recipients.length > 0) await stagePrepared(scope, tx, await prepareEmail(scope, mail), recipients)
}

/** A mail that is encrypted already. */
export interface PreparedEmail {
  kind: string
  contentId: string
  sealed: string
}

/** Encrypts a mail with large attachments before the transaction that stages it, in two steps. */
export async function prepareEmail(scope: Scope, { kind, ...content }: Omit<NewEmail, 'to'>): Promise<PreparedEmail> {
  const contentId = uuidv7()
  const text = JSON.stringify(content satisfies SealedContent)
  if (text.length > LONG) await nextTurn()
  return { kind, contentId, sealed: scope.secrets.seal(text, contentContext(contentId)) }
}

/** Stages a prepared mail to many. */
export async function stagePrepared(
  scope: Scope,
  tx: TenantTx,
  { kind, contentId, sealed }: PreparedEmail,
  recipients: Recipient[],
): Promise<void> {
  if (recipients.length === 0) return
  await store.insertContent(tx, { id: contentId, sealed })
  const now = scope.clock.now()
  const isLarge = sealed.length >= LARGE_BYTES
  for (const to of recipients) {
    const id = uuidv7()
    const own = scope.secrets.seal(JSON.stringify({ to }), sealContext(id))
    await store.insertEmail(tx, { id, kind, sealed: own, content_id: contentId, is_large: isLarge }, now)
  }
  wakeOutbox(scope, tx, isLarge)
}

function wakeOutbox(scope: Scope, tx: TenantTx, isLarge: boolean): void {
  const topic = isLarge ? LARGE_MAIL : MAIL
  scope.wakeAfter(tx, topic, { group: topic, ids: [] })
}

/** Mail of this workspace that waits to be sent. */
export async function countWaitingMail(tx: ReadTx): Promise<{ depth: number; oldestAt: Date | null }> {
  const { depth, oldest_at } = await store.selectBacklog(tx)
  return { depth, oldestAt: oldest_at }
}

/** An encrypted mail opens only in its own row. */
function sealContext(id: string): string {
  return `outgoing_emails:${id}`
}

function contentContext(id: string): string {
  return `outgoing_email_contents:${id}`
}

type OpenEmail = (mail: store.OwnPart) => Promise<SealedEmail>

/** Opens mails. Neighbours that share their content have it read and opened once. */
export function createOpener({ secrets }: Scope, readContent: (id: string) => Promise<string>): OpenEmail {
  let last: { id: string; content: Promise<SealedContent> } | null = null
  const openContent = async (id: string) => {
    const text = secrets.open(await readContent(id), contentContext(id))
    if (text.length > LONG) await nextTurn()
    return JSON.parse(text) as SealedContent
  }
  return async ({ id, sealed, content_id: contentId }) => {
    const own = JSON.parse(secrets.open(sealed, sealContext(id))) as SealedEmail
    if (contentId === null) return own
    const shared = last?.id === contentId ? last : { id: contentId, content: openContent(contentId) }
    last = shared
    try {
      return { ...(await shared.content), to: own.to }
    } catch (error) {
      // The next one reads it again.
      if (last === shared) last = null
      throw error
    }
  }
}
