import { z } from 'zod'

/** The header of a signed callback. */
export const SIGNATURE_HEADER = 'x-twilio-signature'

const text = (meaning: string) => z.string().describe(meaning)
const number = z.string().regex(/^[\w+:.@ -]{1,64}$/)
const from = number.describe('The person’s number.')
const to = number.describe('Your number.')

/** The parameters of Twilio that matter. The others are signed and ignored. */
export const TwilioSms = z
  .looseObject({
    MessageSid: number.describe('The id of the message.'),
    From: from.optional(),
    To: to.optional(),
    Body: text('The person’s message.').optional(),
    OptOutType: text('`STOP`, `START` or `HELP`, if Twilio handled it.').optional(),
    MessageStatus: text('The status, in a report about a sent message.').optional(),
    ErrorCode: text('The reason, in a report of a failure.').optional(),
  })
  .meta({ id: 'TwilioSms' })

export const TwilioCall = z
  .looseObject({
    CallSid: number.describe('The id of the call.'),
    From: from.optional(),
    To: to.optional(),
    Direction: text('`inbound`, or `outbound-api` for a call from this server.').optional(),
    CallStatus: text('The result, in the report of the end.').optional(),
    Digits: text('The pressed keys.').optional(),
    SpeechResult: text('The spoken words.').optional(),
    Confidence: text('Twilio’s confidence in the words, from 0 to 1.').optional(),
  })
  .meta({ id: 'TwilioCall' })
