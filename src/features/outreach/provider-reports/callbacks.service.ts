import { badRequest, notFound } from '../../../http/problems/problem.ts'
import { parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { SILENCE } from '../../../platform/ports/phone-port.ts'
import type { Callback } from '../../../platform/ports/provider.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import { parseAddress } from '../../trust/addresses/address.ts'
import { maySend } from '../../access/workspaces/workspaces.service.ts'
import { readSendToken } from '../../delivery/sends/send-secrets.ts'
import { endCall, takeCall } from '../conversations/calls.service.ts'
import { ownerOfNumber, ownerOfSurvey } from '../conversations/owners.service.ts'
import { NumberGoneError, takeMessage } from '../conversations/sms.service.ts'
import { recordPhoneEvent } from './reports.service.ts'

const PROVIDER = { type: 'provider', name: 'twilio' } as const
const MOST_STEPS = 2_000

/**
 * Takes a message from a person, or a report about a message to them (docs/specification.md, "Twilio callbacks"), and
 * returns the answer.
 * @throws CallbackError for an unsigned callback, or one that is not a message.
 */
export async function takeSmsCallback(system: SystemScope, callback: Callback): Promise<string> {
  const { phoneCallbacks } = system.ports
  const silence = phoneCallbacks.write(SILENCE)
  const sms = phoneCallbacks.open(callback).sms()
  if (sms.kind === 'report') {
    await recordPhoneEvent(system, sms.providerId, sms.event)
    return silence
  }
  const number = parseAddress('sms', sms.to)
  if (number === null) return silence
  const known = await ownerOfNumber(system, number)
  if (known === null) return silence
  const take = async (owner: TenantId) => {
    const scope = system.tenant(owner, PROVIDER)
    const answer = await takeMessage(scope, { ...sms, to: number })
    return (await mayAnswer(scope)) ? answer : silence
  }
  try {
    return await take(known)
  } catch (error) {
    if (!(error instanceof NumberGoneError)) throw error
    const owner = await ownerOfNumber(system, number, { afresh: true })
    return owner === null || owner === known ? silence : take(owner)
  }
}

/** The answer is an SMS too. */
async function mayAnswer(scope: Scope): Promise<boolean> {
  return !scope.settings.production || scope.read((tx) => maySend(scope, tx))
}

/**
 * Takes one turn of a call, or the report of its end, and returns the answer.
 * @throws CallbackError for an unsigned callback, or one that is not a call; Problem 404 for an unknown survey.
 */
export async function takeVoiceCallback(system: SystemScope, surveyText: string, callback: Callback): Promise<string> {
  const { phoneCallbacks } = system.ports
  const opened = phoneCallbacks.open(callback)
  const surveyId = parseId('survey', surveyText)
  if (surveyId === null) throw notFound('survey')
  const query = new URLSearchParams(callback.url.split('?')[1] ?? '')
  const sendText = query.get('send')
  const { scope, sendId } = await scopeOfCall(system, surveyId, sendText)
  const call = opened.call()
  if (call.kind === 'over') {
    await endCall(scope, call.callId)
    await recordPhoneEvent(system, call.callId, call.event)
    return phoneCallbacks.write(SILENCE)
  }
  const step = Number(/^\d{1,4}$/.exec(query.get('step') ?? '0')?.[0] ?? 0)
  if (step > MOST_STEPS)
    throw badRequest([{ path: 'step', message: 'Use the address that the server gave, unchanged.' }])
  return takeCall(scope, {
    ...call,
    surveyId,
    sendId,
    step,
    query: sendText === null ? '' : `&send=${encodeURIComponent(sendText)}`,
  })
}

interface ScopeOfCall {
  scope: Scope
  sendId: Id<'send'> | null
}

/** A call from an invitation carries its token. Any other call names the survey that its number is set up with. */
async function scopeOfCall(system: SystemScope, surveyId: Id<'survey'>, sendText: string | null): Promise<ScopeOfCall> {
  const tenantId = await ownerOfSurvey(system, surveyId)
  if (tenantId === null) throw notFound('survey')
  if (sendText === null) return { scope: system.tenant(tenantId, PROVIDER), sendId: null }
  const ticket = readSendToken(system.secrets, 'respond', sendText)
  if (ticket === null || ticket.tenantId !== tenantId) throw notFound('survey')
  return { scope: system.tenant(tenantId, PROVIDER), sendId: ticket.id }
}
