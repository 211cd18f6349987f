import { KIB, readBody } from '../../../http/bodies/body.ts'
import type { AppContext } from '../../../http/context.ts'
import { systemRoute } from '../../../http/routes/route.ts'
import type { Callback } from '../../../platform/ports/provider.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { takeReport } from '../../../http/problems/to-problem.ts'
import { SIGNATURE_HEADER, TwilioCall, TwilioSms } from '../../../adapters/twilio/twilio.wire.ts'
import { takeSmsCallback, takeVoiceCallback } from './callbacks.service.ts'

const tag = 'Provider callbacks'
const LIMIT = 64 * KIB
const response = {
  status: 200,
  contentType: 'text/xml',
  description: 'TwiML. A repeated message or step gets the same answer.',
}
const problems = {
  400: 'The form lacks a required field.',
  403: 'The signature is wrong, or a production server has no token to check it.',
}

export const twilioSmsRoute = systemRoute({
  method: 'post',
  path: '/public/twilio/sms',
  operationId: 'takeTwilioSms',
  summary: 'Receive an SMS, or a report about one, from Twilio',
  description: 'Form-encoded, signed with `X-Twilio-Signature`.',
  tag,
  bodyLimit: LIMIT,
  headers: [SIGNATURE_HEADER],
  rawBody: { 'application/x-www-form-urlencoded': TwilioSms },
  audit: ['suppression.create', 'suppression.lift'],
  response,
  problems,
  handler: async (system, { c }) => {
    const callback = await readCallback(system, c)
    return xml(await takeReport({ unsigned: 403 }, () => takeSmsCallback(system, callback)))
  },
})

export const twilioVoiceRoute = systemRoute({
  method: 'post',
  path: '/public/twilio/voice/:surveyId',
  operationId: 'takeTwilioVoice',
  summary: 'Receive a turn or the end of a call from Twilio',
  description:
    'Form-encoded, signed with `X-Twilio-Signature`. Point the calls of your number to this address, with the id of ' +
    'the survey.',
  tag,
  // Text, so that the id is checked only after the signature.
  params: { surveyId: 'text' },
  bodyLimit: LIMIT,
  headers: [SIGNATURE_HEADER],
  rawBody: { 'application/x-www-form-urlencoded': TwilioCall },
  audit: ['suppression.create'],
  response,
  problems: { ...problems, 404: 'There is no such survey.' },
  handler: async (system, { c, params }) => {
    const callback = await readCallback(system, c)
    return xml(await takeReport({ unsigned: 403 }, () => takeVoiceCallback(system, params.surveyId, callback)))
  },
})

async function readCallback(system: SystemScope, c: AppContext): Promise<Callback> {
  const body = await readBody(c.req.raw, LIMIT)
  // The server's URL escapes some characters that the provider signed unescaped.
  const raw = (c.env as { incoming?: { url?: string } } | undefined)?.incoming?.url ?? c.req.raw.url
  // A fragment holds Twilio's connection overrides. Twilio does not sign it.
  const target = raw.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#[^]*/, '')
  const base = system.settings.callbackBaseUrl ?? system.origin?.base ?? ''
  return { url: base + target, header: (name) => c.req.header(name), body }
}

function xml(text: string): Response {
  return new Response(text, {
    status: 200,
    headers: { 'Content-Type': 'text/xml; charset=utf-8', 'Content-Length': String(Buffer.byteLength(text)) },
  })
}
