import { KIB, readBody } from '../../../http/body.ts'
import type { AppContext } from '../../../http/context.ts'
import { systemRoute } from '../../../http/route.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import { takeReport } from '../../../http/to-problem.ts'
import { TwilioCall, TwilioSms } from './twilio.schema.ts'
import { takeSmsCallback, takeVoiceCallback, type TwilioCallback } from './callbacks.service.ts'

const tag = 'Provider callbacks'
const LIMIT = 64 * KIB
const response = { status: 200, contentType: 'text/xml', description: 'TwiML; a repeat of the same message or step gets the same.' }
const problems = { 400: 'The form lacks what every such callback has.', 403: 'The signature does not fit, or none can be checked in production.' }

export const twilioSmsRoute = systemRoute({
  method: 'post',
  path: '/public/twilio/sms',
  operationId: 'takeTwilioSms',
  summary: 'A message by SMS, or a report about one, from Twilio',
  description: 'Form-encoded, signed with `X-Twilio-Signature`.',
  tag,
  bodyLimit: LIMIT,
  headers: ['x-twilio-signature'],
  rawBody: { 'application/x-www-form-urlencoded': TwilioSms },
  response,
  problems,
  handler: async (system, { c }) => {
    const callback = await readCallback(system, c)
    return xml(await takeReport(() => takeSmsCallback(system, callback)))
  },
})

export const twilioVoiceRoute = systemRoute({
  method: 'post',
  path: '/public/twilio/voice/:surveyId',
  operationId: 'takeTwilioVoice',
  summary: 'A turn of a call, or its end, from Twilio',
  description: 'Form-encoded, signed with `X-Twilio-Signature`. Have your number post its calls to this address with the id of the survey.',
  tag,
  // Text, for an id that is none is told apart only once the signature holds.
  params: { surveyId: 'text' },
  bodyLimit: LIMIT,
  headers: ['x-twilio-signature'],
  rawBody: { 'application/x-www-form-urlencoded': TwilioCall },
  response,
  problems: { ...problems, 404: 'There is no such survey.' },
  handler: async (system, { c, params }) => {
    const callback = await readCallback(system, c)
    return xml(await takeReport(() => takeVoiceCallback(system, params.surveyId, callback)))
  },
})

async function readCallback(system: SystemScope, c: AppContext): Promise<TwilioCallback> {
  const body = await readBody(c.req.raw, LIMIT)
  // The server's own notion of a URL has some characters escaped that the provider signed as they are.
  const raw = (c.env as { incoming?: { url?: string } } | undefined)?.incoming?.url ?? c.req.raw.url
  return {
    origin: system.origin?.base ?? '',
    // A fragment holds Twilio's connection overrides, and is not signed.
    target: raw.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/, ''),
    body,
    signature: c.req.header('x-twilio-signature'),
  }
}

function xml(text: string): Response {
  return new Response(text, { status: 200, headers: { 'Content-Type': 'text/xml; charset=utf-8', 'Content-Length': String(Buffer.byteLength(text)) } })
}
