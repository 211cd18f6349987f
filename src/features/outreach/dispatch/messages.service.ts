import type { TenantTx } from '../../../platform/database.ts'
import { formatId, type Id } from '../../../platform/ids.ts'
import type { EmailMessage } from '../../../platform/email-port.ts'
import type { SmsMessage, VoiceCall } from '../../../platform/phone-port.ts'
import { ProviderError } from '../../../platform/provider.ts'
import { Problem } from '../../../http/problem.ts'
import type { Scope } from '../../../platform/scope.ts'
import { openSmsConversation } from '../conversations/outbound.service.ts'
import { readEmailTemplate, writeLetter, TemplateFailedError, type EmailTemplate } from '../email-templates/email-templates.service.ts'
import { findSender } from '../inbound-numbers/inbound-numbers.service.ts'
import type { Recipient } from '../../delivery/sends/recipient.ts'
import { sendToken } from '../../delivery/sends/send-token.ts'
import type { readCurrentSurvey } from '../../surveys/surveys/published-surveys.service.ts'
import { addTracking } from '../tracking/tracking.service.ts'
import type { readWorkspace } from '../../access/workspaces/workspaces.service.ts'
import * as store from './dispatch.store.ts'
import { linksOf, variablesOf } from './email-message.ts'

export type Message = { channel: 'email'; write: () => Promise<EmailMessage> } | { channel: 'sms'; sms: SmsMessage } | { channel: 'voice'; call: VoiceCall }

export interface Prepared {
  send: store.ClaimedSend
  message: Message
}

export type Survey = Awaited<ReturnType<typeof readCurrentSurvey>>

export interface Wanted {
  send: store.ClaimedSend
  recipient: Recipient
  survey: Survey
  templateId: Id<'template'> | null
}

/** By the language of the recipient, the number that SMS and calls come from. */
export type Senders = Map<string | null, Awaited<ReturnType<typeof findSender>>>

export async function readSenders(tx: TenantTx, channel: 'email' | 'sms' | 'voice', languages: Array<string | null>): Promise<Senders> {
  const senders: Senders = new Map()
  if (channel === 'email') return senders
  for (const language of new Set(languages)) senders.set(language, await findSender(tx, channel, language))
  return senders
}

type Workspace = Awaited<ReturnType<typeof readWorkspace>>

/** Emails by the template of their invitation; each is rendered when it is its turn, after the transaction. */
export async function writeEmails(scope: Scope, tx: TenantTx, wanted: Wanted[], workspace: Workspace): Promise<Prepared[]> {
  const templates = new Map<Id<'template'> | null, EmailTemplate>()
  for (const id of new Set(wanted.map(({ templateId }) => templateId))) templates.set(id, await readEmailTemplate(tx, id))
  return wanted.flatMap((one) => {
    const template = templates.get(one.templateId)
    return template ? [{ send: one.send, message: { channel: 'email' as const, write: () => writeEmail(scope, template, one, workspace) } }] : []
  })
}

/** @throws ProviderError `template_failed`, permanent, where this template cannot be rendered for this person. */
async function writeEmail(scope: Scope, template: EmailTemplate, { send, recipient, survey }: Wanted, workspace: Workspace): Promise<EmailMessage> {
  const parts = {
    tenantId: scope.tenantId,
    sendId: send.id,
    surveyId: send.survey_id,
    surveyName: survey.name,
    definition: survey.definition,
    recipient,
    language: send.language,
    workspace,
  }
  const links = linksOf(scope.secrets, scope.settings.baseUrl, parts)
  const { subject, html, text } = await rendered(template, variablesOf(parts, links))
  return {
    to: recipient.address,
    subject,
    text,
    html: addTracking(scope, html, { id: send.id, tenantId: scope.tenantId }),
    fromName: workspace.name,
    // RFC 2369 and RFC 8058: mail clients show a button, and the POST alone unsubscribes.
    headers: { 'List-Unsubscribe': `<${links.unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    tag: sendToken(scope.secrets, 'delivery', { tenantId: scope.tenantId, id: send.id }),
    idempotencyKey: `send_${send.id}`,
  }
}

async function rendered(template: EmailTemplate, variables: ReturnType<typeof variablesOf>) {
  try {
    return await writeLetter(template, variables)
  } catch (error) {
    if (error instanceof TemplateFailedError) throw new ProviderError('template_failed', 'refused')
    // Nothing was sent, and nothing is wrong with the template.
    if (error instanceof Problem) throw new ProviderError('template_busy', 'not_taken')
    throw error
  }
}

/** SMS with the first question, and calls that have the provider ask what to say. */
export async function writeCalls(
  scope: Scope,
  tx: TenantTx,
  channel: 'sms' | 'voice',
  wanted: Wanted[],
  senders: Senders,
  leaseToken: string,
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  const unsent: store.Settled[] = []
  for (const { send, recipient, survey } of wanted) {
    const sender = senders.get(send.language)
    if (!sender) {
      unsent.push({ id: send.id, attempts: send.attempts, inDoubt: false, status: 'failed', reason: 'no_sender_number', nextAttemptAt: null })
      continue
    }
    const { address: to, name, customData } = recipient
    if (channel === 'sms') {
      const opened = await openSmsConversation(scope, tx, {
        sendId: send.id,
        surveyId: send.survey_id,
        from: sender.number,
        to,
        addressHash: send.address_hash,
        masked: send.masked,
        language: send.language ?? survey.definition.default_language,
        customData,
        name,
      })
      if ('waitUntil' in opened) {
        unsent.push({ id: send.id, attempts: send.attempts, inDoubt: false, status: 'queued', reason: null, nextAttemptAt: opened.waitUntil })
        continue
      }
      prepared.push({ send, message: { channel, sms: { to, from: sender.number, body: opened.text, ...statusUrl(scope) } } })
    } else {
      prepared.push({ send, message: { channel, call: { to, from: sender.number, url: voiceUrl(scope, send) } } })
    }
  }
  if (unsent.length > 0) await store.updateSettled(tx, leaseToken, unsent, scope.clock.now())
  return prepared
}

// Twilio refuses an address that it cannot reach, such as localhost.
function statusUrl({ settings: { callbackBaseUrl } }: Scope): { statusUrl?: string } {
  return callbackBaseUrl === null ? {} : { statusUrl: `${callbackBaseUrl}/public/twilio/sms` }
}

function voiceUrl(scope: Scope, send: store.ClaimedSend): string {
  const base = scope.settings.callbackBaseUrl ?? scope.settings.baseUrl
  return `${base}/public/twilio/voice/${formatId('survey', send.survey_id)}?send=${sendToken(scope.secrets, 'respond', { tenantId: scope.tenantId, id: send.id })}`
}
