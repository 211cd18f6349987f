import type { SecretBox } from '../../../../platform/config/secrets.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { OutboundAnswer } from '../../../../platform/ports/ports.ts'
import type { Scope } from '../../../../platform/scope.ts'

/** A request as a test receiver got it. */
export interface Received {
  headers: Record<string, string>
  body: string
}

export interface HandedOver extends Received {
  delivery: { id: Id<'delivery'>; leaseToken: string }
  verified: { voc: boolean; standard: boolean } | null
}

/** Gives a delivery to a test receiver in place of a call, and answers for it. */
export type HandOver = (scope: Scope, id: Id<'testReceiver'>, request: HandedOver) => Promise<OutboundAnswer>

export function sealReceived(secrets: SecretBox, id: string, received: Received): string {
  return secrets.seal(JSON.stringify(received), contextOf(id))
}

export function openReceived(secrets: SecretBox, { id, sealed }: { id: string; sealed: string }): Received {
  return JSON.parse(secrets.open(sealed, contextOf(id))) as Received
}

// They hold the moment, which nobody may know of an anonymous survey.
const OF_THE_MOMENT = new Set(['x-voc-timestamp', 'x-voc-signature', 'webhook-timestamp', 'webhook-signature'])

export function withoutMoment(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_MOMENT.has(name.toLowerCase())))
}

function contextOf(id: string): string {
  return `test_receiver_requests:${id}`
}
