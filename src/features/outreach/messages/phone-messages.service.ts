import type { Channel } from '../../../platform/ports/provider.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Claimed, Composed } from '../../delivery/sends/dispatch/author.service.ts'
import { sendToken } from '../../delivery/sends/send-secrets.ts'
import { openSmsConversation } from '../conversations/outbound.service.ts'
import { findSender } from '../inbound-numbers/inbound-numbers.service.ts'
import type { Wanted } from './emails.service.ts'

type Sender = NonNullable<Awaited<ReturnType<typeof findSender>>>

/** The number that SMS and calls come from, by the language of the recipient. */
export type Senders = Map<string | null, Sender | null>

export async function readSenders(tx: ReadTx, channel: Channel, languages: Array<string | null>): Promise<Senders> {
  const senders: Senders = new Map()
  if (channel === 'email') return senders
  for (const language of new Set(languages)) senders.set(language, await findSender(tx, channel, language))
  return senders
}

/** Writes SMS with the first question, and calls for which the provider asks what to say. */
export async function writePhoneMessages(
  scope: Scope,
  tx: TenantTx,
  channel: 'sms' | 'voice',
  wanted: Wanted[],
  senders: Senders,
): Promise<Composed[]> {
  const composed: Composed[] = []
  // One after the other: two messages to one person open one conversation.
  for (const one of wanted) {
    const sender = senders.get(one.send.language)
    if (!sender) composed.push({ send: one.send, outcome: { kind: 'ended', as: 'failed', reason: 'no_sender_number' } })
    else composed.push(channel === 'sms' ? await writeSms(scope, tx, one, sender) : writeCall(scope, one, sender))
  }
  return composed
}

async function writeSms(
  scope: Scope,
  tx: TenantTx,
  { send, recipient, survey, words }: Wanted,
  { number: from }: Sender,
): Promise<Composed> {
  const { address: to, name, customData } = recipient
  const opened = await openSmsConversation(scope, tx, {
    sendId: send.id,
    surveyId: send.survey_id,
    from,
    to,
    addressHash: send.address_hash,
    masked: send.masked,
    language: send.language ?? survey.definition.default_language,
    customData,
    name,
    words,
  })
  if ('waitUntil' in opened) return { send, outcome: { kind: 'waiting', until: opened.waitUntil } }
  return { send, message: { channel: 'sms', sms: { to, from, body: opened.text, ...statusUrl(scope) } } }
}

function writeCall(scope: Scope, { send, recipient }: Wanted, { number: from }: Sender): Composed {
  return { send, message: { channel: 'voice', call: { to: recipient.address, from, url: voiceUrl(scope, send) } } }
}

// Twilio refuses an address that it cannot reach, such as localhost.
function statusUrl({ settings: { callbackBaseUrl } }: Scope): { statusUrl?: string } {
  return callbackBaseUrl === null ? {} : { statusUrl: `${callbackBaseUrl}/public/twilio/sms` }
}

function voiceUrl(scope: Scope, send: Claimed): string {
  const base = scope.settings.callbackBaseUrl ?? scope.settings.baseUrl
  const token = sendToken(scope.secrets, 'respond', { tenantId: scope.tenantId, id: send.id })
  return `${base}/public/twilio/voice/${formatId('survey', send.survey_id)}?send=${token}`
}
