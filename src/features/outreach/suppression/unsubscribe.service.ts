import { notFound } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SendRow } from '../../delivery/sends/send.entity.ts'
import { readSendToken } from '../../delivery/sends/send-secrets.ts'
import { findSend } from '../../delivery/sends/sends.service.ts'
import { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { suppress } from './suppression.service.ts'

/** The data of the page. */
export interface Subscriber {
  workspace: string
  /** Masked, so that a person with a forwarded mail learns nothing new. */
  address: string
  /** Null if the language is unknown. */
  language: string | null
}

/** The person that a link is about. Changes nothing. @throws Problem 404. */
export function readSubscriber(system: SystemScope, token: string): Promise<Subscriber> {
  const { scope, sendId } = open(system, token)
  return scope.read(async (tx) => (await find(tx, sendId)).subscriber)
}

/** Suppresses the person in the channel of their message. A repeat changes nothing. @throws Problem 404. */
export function unsubscribe(system: SystemScope, token: string): Promise<Subscriber> {
  const { scope, sendId } = open(system, token)
  return scope.tx(async (tx) => {
    const { send, subscriber } = await find(tx, sendId)
    await suppress(scope, tx, {
      channel: send.channel,
      hash: send.address_hash,
      masked: send.masked,
      reason: 'unsubscribe',
      source: 'unsubscribe_page',
    })
    return subscriber
  })
}

function open(system: SystemScope, token: string): { scope: Scope; sendId: Id<'send'> } {
  const ticket = readSendToken(system.secrets, 'unsubscribe', token)
  if (!ticket) throw notFound()
  return { scope: system.tenant(ticket.tenantId, { type: 'respondent' }), sendId: ticket.id }
}

async function find(tx: ReadTx, id: Id<'send'>): Promise<{ send: SendRow; subscriber: Subscriber }> {
  const send = await findSend(tx, id)
  if (!send) throw notFound()
  const { name } = await readWorkspace(tx)
  return { send, subscriber: { workspace: name, address: send.masked, language: send.language } }
}
