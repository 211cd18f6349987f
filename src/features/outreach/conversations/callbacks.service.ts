import { badRequest, notFound, Problem } from '../../../http/problem.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { parseAddress } from '../addresses/address.ts'
import { readSendToken } from '../../delivery/sends/send-token.ts'
import { endCall, takeCall } from './calls.service.ts'
import { ownerOfNumber, ownerOfSurvey } from './owners.service.ts'
import { NumberGoneError, takeMessage, type InboundSms } from './sms.service.ts'
import { recordCallStatus, recordMessageStatus } from './statuses.service.ts'
import { needed, textOf } from './twilio-form.ts'
import { isSignedByTwilio } from './twilio-signature.ts'
import { SILENCE } from './twiml.ts'

/** A request of the provider as it arrived. */
export interface TwilioCallback {
  /** Scheme and host that the caller used; what Twilio signed where no public base URL is set. */
  origin: string
  /** Path and query, byte for byte. */
  target: string
  body: Uint8Array
  signature: string | undefined
}

const PROVIDER = { type: 'provider', name: 'twilio' } as const
const CALL_IS_OVER = ['completed', 'busy', 'failed', 'no-answer', 'canceled']
const MOST_STEPS = 2_000

/**
 * A message that somebody sent, or a report about one of ours (contract §5). The TwiML to answer with.
 * @throws Problem 403 unless it is signed, 400 for what is no message.
 */
export async function takeSmsCallback(system: SystemScope, callback: TwilioCallback): Promise<string> {
  const form = signedForm(system, callback)
  const sid = needed(form, 'MessageSid')
  const status = form.get('MessageStatus')
  if (status !== null && !form.has('Body')) {
    await recordMessageStatus(system, { sid, status, errorCode: form.get('ErrorCode') })
    return SILENCE
  }
  if (!form.has('Body')) throw badRequest([{ path: 'Body', message: 'This is missing or has another form.' }])
  const [from, to] = [needed(form, 'From'), needed(form, 'To')]
  const number = parseAddress('sms', to)
  if (number === null) return SILENCE
  const message: InboundSms = { sid, from, to: number, body: textOf(form, 'Body'), optOut: form.get('OptOutType') ?? undefined }
  const known = await ownerOfNumber(system, number)
  if (known === null) return SILENCE
  try {
    return await takeMessage(system.tenant(known, PROVIDER), message)
  } catch (error) {
    if (!(error instanceof NumberGoneError)) throw error
    const owner = await ownerOfNumber(system, number, { afresh: true })
    return owner === null || owner === known ? SILENCE : takeMessage(system.tenant(owner, PROVIDER), message)
  }
}

/**
 * One turn of a call, or the report that it is over. The TwiML to answer with.
 * @throws Problem 403 unless it is signed, 400 for what is no call, 404 for an unknown survey.
 */
export async function takeVoiceCallback(system: SystemScope, surveyText: string, callback: TwilioCallback): Promise<string> {
  const form = signedForm(system, callback)
  const surveyId = parseId('survey', surveyText)
  if (surveyId === null) throw notFound('survey')
  const query = new URLSearchParams(callback.target.split('?')[1] ?? '')
  const sendText = query.get('send')
  const { scope, sendId } = await scopeOfCall(system, surveyId, sendText)
  const callId = needed(form, 'CallSid')
  const status = form.get('CallStatus') ?? ''
  if (CALL_IS_OVER.includes(status)) {
    await endCall(scope, callId)
    await recordCallStatus(system, { sid: callId, status })
    return SILENCE
  }
  const outgoing = (form.get('Direction') ?? '').startsWith('outbound')
  const [from, to] = [needed(form, 'From'), needed(form, 'To')]
  const step = Number(/^\d{1,4}$/.exec(query.get('step') ?? '0')?.[0] ?? 0)
  if (step > MOST_STEPS) throw badRequest([{ path: 'step', message: 'This is missing or has another form.' }])
  const confidence = form.get('Confidence')
  return takeCall(scope, {
    callId,
    surveyId,
    sendId,
    step,
    number: outgoing ? from : to,
    caller: outgoing ? to : from,
    digits: textOf(form, 'Digits'),
    speech: textOf(form, 'SpeechResult'),
    confidence: confidence === null || confidence === '' ? null : Number(confidence),
    query: sendText === null ? '' : `&send=${encodeURIComponent(sendText)}`,
  })
}

// The signature is checked before the form decides anything, and every cause of a refusal answers alike.
function signedForm(system: SystemScope, { origin, target, body, signature }: TwilioCallback): URLSearchParams {
  const { callbacks, production } = system.settings
  const parameters = new URLSearchParams(new TextDecoder().decode(body))
  const token = callbacks.twilioAuthToken
  const signed = token === null ? !production : isSignedByTwilio(token.reveal(), { url: (callbacks.baseUrl ?? origin) + target, parameters, signature })
  if (!signed) throw new Problem(403, 'invalid_signature', { detail: 'This callback is not signed as it should be. Nothing was stored.' })
  return parameters
}

interface ScopeOfCall {
  scope: Scope
  sendId: Id<'send'> | null
}

/** A call of an invitation carries its token; any other is told by the survey that the number was set up with. */
async function scopeOfCall(system: SystemScope, surveyId: Id<'survey'>, sendText: string | null): Promise<ScopeOfCall> {
  const tenantId = await ownerOfSurvey(system, surveyId)
  if (tenantId === null) throw notFound('survey')
  if (sendText === null) return { scope: system.tenant(tenantId, PROVIDER), sendId: null }
  const ticket = readSendToken(system.secrets, 'respond', sendText)
  if (ticket === null || ticket.tenantId !== tenantId) throw notFound('survey')
  return { scope: system.tenant(tenantId, PROVIDER), sendId: ticket.id }
}
