import { KIB, readBody } from '../../../http/body.ts'
import type { AppContext } from '../../../http/context.ts'
import { systemRoute } from '../../../http/route.ts'
import type { Callback } from '../../../platform/provider.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { takeReport } from '../../../http/to-problem.ts'
import { SIGNATURE_HEADER, TwilioCall, TwilioSms } from '../../../adapters/twilio/twilio.wire.ts'
import { takeSmsCallback, takeVoiceCallback } from './callbacks.service.ts'

const tag = 'Provider callbacks'
const LIMIT = 64 * KIB
const response = {
  status: 200,
  contentType: 'text/xml',
  description: 'TwiML; a repeat of the same message or step gets the same.',
}
const problems = {
  400: 'The form lacks what every such callback has.',
  403: 'The signature does not fit, or none can be checked in production.',
}

export const twilioSmsRoute = systemRoute({
  method: 'post',
  path: '/public/twilio/sms',
  operationId: 'takeTwilioSms',
  summary: 'A message by SMS, or a report about one, from Twilio',
  description: 'Form-encoded, signed with `X-Twilio-Signature`.',
  tag,
  bodyLimit: LIMIT,
  headers: [SIGNATURE_HEADER],
  rawBody: { 'application/x-www-form-urlencoded': TwilioSms },
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
  summary: 'A turn of a call, or its end, from Twilio',
  description:
    'Form-encoded, signed with `X-Twilio-Signature`. Have your number post its calls to this address with the id of the survey.',
  tag,
  // Text: whether it is an id is checked only once the signature holds.
  params: { surveyId: 'text' },
  bodyLimit: LIMIT,
  headers: [SIGNATURE_HEADER],
  rawBody: { 'application/x-www-form-urlencoded': TwilioCall },
  response,
  problems: { ...problems, 404: 'There is no such survey.' },
  handler: async (system, { c, params }) => {
    const callback = await readCallback(system, c)
    return xml(await takeReport({ unsigned: 403 }, () => takeVoiceCallback(system, params.surveyId, callback)))
  },
})

async function readCallback(system: SystemScope, c: AppContext): Promise<Callback> {
  const body = await readBody(c.req.raw, LIMIT)
  // The server's own URL has some characters escaped that the provider signed as they are.
  const raw = (c.env as { incoming?: { url?: string } } | undefined)?.incoming?.url ?? c.req.raw.url
  // A fragment holds Twilio's connection overrides, and is not signed.
  const target = raw.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/, '')
  const base = system.settings.callbackBaseUrl ?? system.origin?.base ?? ''
  return { url: base + target, header: (name) => c.req.header(name), body }
}

function xml(text: string): Response {
  return new Response(text, {
    status: 200,
    headers: { 'Content-Type': 'text/xml; charset=utf-8', 'Content-Length': String(Buffer.byteLength(text)) },
  })
}
