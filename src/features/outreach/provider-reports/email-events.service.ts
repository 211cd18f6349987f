import type { TenantTx } from '../../../platform/database/database.ts'
import type { EmailEvent } from '../../../platform/ports/email-port.ts'
import type { Id, TenantId } from '../../../platform/ids.ts'
import type { Callback } from '../../../platform/ports/provider.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SendRow } from '../../delivery/sends/send.entity.ts'
import {
  claimProviderMessage,
  findTenantOfProviderMessage,
  lockSend,
  lockSendOfProvider,
} from '../../delivery/sends/reports.service.ts'
import { readSendToken } from '../../delivery/sends/send-secrets.ts'
import { recordReport } from './reports.service.ts'

/**
 * Takes one event of the email provider (docs/specification.md, "Email callbacks"). A repeat changes
 * nothing.
 * @throws CallbackError for an unsigned callback, or one that is not an event.
 */
export async function takeEmailEvent(system: SystemScope, callback: Callback): Promise<void> {
  const event = system.ports.emailCallbacks.read(callback, system.clock.now())
  const found = event && (await findSend(system, event))
  if (!found) return
  const scope = system.tenant(found.tenantId, { type: 'provider', name: 'email' })
  await scope.tx((tx) => applyEvent(scope, tx, event, found.sendId))
}

interface Found {
  tenantId: TenantId
  /** Null if only the provider's id is known. */
  sendId: Id<'send'> | null
}

/** Finds the send by the provider's id, or by the tag if the id is not known yet. Only this server can make the tag. */
async function findSend(system: SystemScope, { providerId, tag }: EmailEvent): Promise<Found | null> {
  const tenantId = await findTenantOfProviderMessage(system, providerId)
  if (tenantId !== null) return { tenantId, sendId: null }
  const ticket = tag === null ? null : readSendToken(system.secrets, 'delivery', tag)
  return ticket && { tenantId: ticket.tenantId, sendId: ticket.id }
}

async function applyEvent(scope: Scope, tx: TenantTx, event: EmailEvent, sendId: Id<'send'> | null): Promise<void> {
  const { kind, eventId, providerId } = event
  const send = sendId === null ? await lockSendOfProvider(tx, providerId) : await lockSend(tx, sendId)
  if (!send || !isAbout(send, providerId)) return
  if (eventId !== '' && !(await claimProviderMessage(scope, tx, 'email', eventId))) return
  await recordReport(scope, tx, send, { kind, providerId, at: momentOf(scope, send, event) })
}

/** A Message-ID of ours is not a provider's id, so it contradicts none. */
function isAbout(send: SendRow, providerId: string): boolean {
  return send.provider_id === null || send.provider_id === providerId || send.provider_id.startsWith('<')
}

/** The time of the event, kept between the creation of the send and now. */
function momentOf({ clock }: Scope, send: SendRow, { at }: EmailEvent): Date {
  const now = clock.now()
  if (!(at <= now)) return now
  return at < send.created_at ? send.created_at : at
}
