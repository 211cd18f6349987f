import type { z } from 'zod'
import { badRequest, Problem } from '../../../http/problem.ts'
import type { TenantTx } from '../../../platform/database.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { learnProviderId, recordAccepted } from '../../delivery/sends/acceptance.service.ts'
import { claimProviderMessage, findTenantOfProviderMessage, lockSend, lockSendOfProvider, type SendRow } from '../../delivery/sends/reports.service.ts'
import { readSendToken } from '../../delivery/sends/send-token.ts'
import type { SendStamp } from '../../delivery/sends/send-status.ts'
import { stampSend } from '../../delivery/sends/sends.service.ts'
import { suppress } from '../suppression/suppression.service.ts'
import { AnyEvent, EmailEvent } from './email-events.schema.ts'
import { isSigned, type SignedMessage } from './email-signature.ts'

type Event = z.output<typeof EmailEvent>

const STAMPS = new Map<string, Extract<SendStamp, 'delivered' | 'bounced' | 'complained'>>([
  ['email.delivered', 'delivered'],
  ['email.bounced', 'bounced'],
  ['email.complained', 'complained'],
])

/** The headers and body of a callback, unverified; absent headers are ''. */
export type EmailCallback = SignedMessage

/**
 * Takes one event of the email provider (source specification, "Inbound email provider callback").
 * @throws Problem 401 unless it is signed, or nobody asked for that; 400 for a body that is no event.
 */
export async function takeEmailEvent(system: SystemScope, callback: EmailCallback): Promise<void> {
  requireSignature(system, callback)
  const value = parseJson(callback.body)
  const { type } = parseAs(AnyEvent, value)
  const stamp = STAMPS.get(type)
  if (stamp === undefined) return
  const event = parseAs(EmailEvent, value)
  const found = await findSend(system, event)
  if (!found) return
  const scope = system.tenant(found.tenantId, { type: 'provider', name: 'email' })
  await scope.tx((tx) => applyEvent(scope, tx, { messageId: callback.id, event, stamp, sendId: found.sendId }))
}

function requireSignature(system: SystemScope, callback: EmailCallback): void {
  const { emailSecret, requireSigned } = system.settings.callbacks
  if (emailSecret === null && !requireSigned) return
  if (emailSecret !== null && isSigned(callback, emailSecret.reveal(), system.clock.now())) return
  throw new Problem(401, 'invalid_signature', { detail: 'This callback is not signed as it should be. Nothing was stored.' })
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw badRequest([{ path: '', message: 'The body is not valid JSON.' }])
  }
}

function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // Only where it does not fit: what is there may name a recipient.
  throw badRequest(result.error.issues.map(({ path }) => ({ path: path.map(String).join('.'), message: 'This is missing or has another form.' })))
}

interface Found {
  tenantId: TenantId
  /** Null: by the provider's id. */
  sendId: Id<'send'> | null
}

/** The provider's own id leads first; the tag, which only this server can make, where the id is not known yet. */
async function findSend(system: SystemScope, { data }: Event): Promise<Found | null> {
  const tenantId = await findTenantOfProviderMessage(system, data.email_id)
  if (tenantId !== null) return { tenantId, sendId: null }
  const tag = Array.isArray(data.tags) ? data.tags.find(({ name }) => name === 'voc_delivery')?.value : data.tags?.['voc_delivery']
  const ticket = typeof tag === 'string' ? readSendToken(system.secrets, 'delivery', tag) : null
  return ticket && { tenantId: ticket.tenantId, sendId: ticket.id }
}

interface Application {
  messageId: string
  event: Event
  stamp: Extract<SendStamp, 'delivered' | 'bounced' | 'complained'>
  sendId: Id<'send'> | null
}

async function applyEvent(scope: Scope, tx: TenantTx, { messageId, event, stamp, sendId }: Application): Promise<void> {
  const providerId = event.data.email_id
  const send = sendId === null ? await lockSendOfProvider(tx, providerId) : await lockSend(tx, sendId)
  if (!send || !isAbout(send, providerId)) return
  if (messageId !== '' && !(await claimProviderMessage(scope, tx, 'email', messageId))) return
  // That the provider speaks of it shows that it took it, whatever became of our own note of that.
  if (send.accepted_at === null) await recordAccepted(scope, tx, [{ sendId: send.id, providerId }])
  else if (send.provider_id === null) await learnProviderId(tx, send.id, providerId)
  await stampSend(tx, send.id, stamp, momentOf(scope, send, event))
  if (stamp === 'delivered') return
  const { channel, address_hash: hash, masked } = send
  await suppress(scope, tx, { channel, hash, masked, reason: stamp === 'bounced' ? 'hard_bounce' : 'complaint', source: 'email_event' })
}

/** A Message-ID of ours is no id of a provider, so it contradicts none. */
function isAbout(send: SendRow, providerId: string): boolean {
  return send.provider_id === null || send.provider_id === providerId || send.provider_id.startsWith('<')
}

/** When it happened, as far as that can be believed: neither before the send was made nor in the future. */
function momentOf({ clock }: Scope, send: SendRow, { created_at }: Event): Date {
  const now = clock.now()
  const told = new Date(created_at ?? '')
  if (!(told <= now)) return now
  return told < send.created_at ? send.created_at : told
}
