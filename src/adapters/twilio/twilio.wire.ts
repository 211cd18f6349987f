import { z } from 'zod'

/** The header of a signed callback. */
export const SIGNATURE_HEADER = 'x-twilio-signature'

const text = (meaning: string) => z.string().describe(meaning)
const number = z.string().regex(/^[\w+:.@ -]{1,64}$/)
const from = number.describe('The number of the person.')
const to = number.describe('Your number.')

/** The parameters of Twilio that matter; all others are signed, and ignored. */
export const TwilioSms = z
  .looseObject({
    MessageSid: number.describe('Of the message.'),
    From: from.optional(),
    To: to.optional(),
    Body: text('What the person wrote.').optional(),
    OptOutType: text('`STOP`, `START` or `HELP`, where Twilio handled it.').optional(),
    MessageStatus: text('In a report about a message that was sent.').optional(),
    ErrorCode: text('With a status that is a failure.').optional(),
  })
  .meta({ id: 'TwilioSms' })

export const TwilioCall = z
  .looseObject({
    CallSid: number.describe('Of the call.'),
    From: from.optional(),
    To: to.optional(),
    Direction: text('`inbound`, or `outbound-api` for a call that we made.').optional(),
    CallStatus: text('At its end, how it ended.').optional(),
    Digits: text('What was pressed.').optional(),
    SpeechResult: text('What was said.').optional(),
    Confidence: text('How sure Twilio is of it, from 0 to 1.').optional(),
  })
  .meta({ id: 'TwilioCall' })
