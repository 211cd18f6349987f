import { composed } from '../../platform/text/composed.ts'
import type { CallCallback, PhoneCallbacksPort, SmsCallback } from '../../platform/ports/phone-port.ts'
import { CallbackError } from '../../platform/ports/provider.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import { callEventOf, isCallOver, messageEventOf } from './codes.ts'
import { isSignedByTwilio } from './signature.ts'
import { SIGNATURE_HEADER } from './twilio.wire.ts'
import { writeTwiml } from './twiml.ts'

// Twilio joins the parts of a long message, up to 1,600 characters.
const MOST_CHARS = 10_000
const COMMANDS = new Map([
  ['STOP', 'stop'],
  ['START', 'start'],
  ['HELP', 'help'],
] as const)

interface Options {
  authToken: Secret | null
  /** Refuse every callback while there is no token to check it with. */
  requireSigned: boolean
}

/** Reads the forms that Twilio posts, and answers them in TwiML. */
export function createTwilioCallbacks({ authToken, requireSigned }: Options): PhoneCallbacksPort {
  return {
    open({ url, header, body }) {
      const form = new URLSearchParams(new TextDecoder().decode(body))
      const request = { url, parameters: form, signature: header(SIGNATURE_HEADER) }
      const accepted = authToken === null ? !requireSigned : isSignedByTwilio(authToken.reveal(), request)
      if (!accepted) throw new CallbackError('unsigned')
      return { sms: () => readSms(form), call: () => readCall(form) }
    },
    write: writeTwiml,
  }
}

function readSms(form: URLSearchParams): SmsCallback {
  const id = needed(form, 'MessageSid')
  if (!form.has('Body')) {
    const status = form.get('MessageStatus')
    if (status === null) throw malformed('Body')
    return { kind: 'report', providerId: id, event: messageEventOf(status, form.get('ErrorCode')) }
  }
  const [from, to] = [needed(form, 'From'), needed(form, 'To')]
  const command = COMMANDS.get(form.get('OptOutType') as 'STOP') ?? null
  return { kind: 'message', id, from: personOf(from), to, body: textOf(form, 'Body'), command }
}

function readCall(form: URLSearchParams): CallCallback {
  const callId = needed(form, 'CallSid')
  const status = form.get('CallStatus') ?? ''
  if (isCallOver(status)) return { kind: 'over', callId, event: callEventOf(status) }
  const outgoing = (form.get('Direction') ?? '').startsWith('outbound')
  // A network that hides the caller leaves `From` empty.
  const from = form.get('From') ? needed(form, 'From') : ''
  const to = needed(form, 'To')
  const confidence = form.get('Confidence')
  return {
    kind: 'turn',
    callId,
    number: outgoing ? from : to,
    caller: outgoing ? to : personOf(from),
    digits: textOf(form, 'Digits'),
    speech: textOf(form, 'SpeechResult'),
    confidence: confidence === null || confidence === '' ? null : Number(confidence),
  }
}

// Twilio spells these words on the keys of a phone where the caller's number is unknown. The second forms are in its
// documents.
const PLACEHOLDERS = new Set([
  '266696687', // anonymous
  '7378742833', // restricted
  '7378742883',
  '2562533', // blocked
  '8656696', // unknown
  '8566696',
  '86282452253', // unavailable
])

/** The number of a person, or an empty text for a placeholder. */
function personOf(from: string): string {
  const digits = from.replace(/\D/g, '')
  return PLACEHOLDERS.has(digits) || PLACEHOLDERS.has(digits.replace(/^1/, '')) ? '' : from
}

/** @throws CallbackError where the parameter is absent or has another form. */
function needed(form: URLSearchParams, name: string): string {
  const value = form.get(name) ?? ''
  if (!/^[\w+:.@ -]{1,64}$/.test(value)) throw malformed(name)
  return value
}

/** Words of a person, without the NUL characters, which nobody types. */
function textOf(form: URLSearchParams, name: string): string {
  return composed((form.get(name) ?? '').replaceAll('\0', '').toWellFormed().slice(0, MOST_CHARS))
}

function malformed(path: string): CallbackError {
  return new CallbackError('malformed', [{ path, message: 'This is missing or has the wrong form.' }])
}
