import type { Channel } from '../../src/platform/ports/provider.ts'
import { startFakeResend, type ResendEmail } from '../../src/testing/providers/fake-resend.ts'
import { startFakeTwilio } from '../../src/testing/providers/fake-twilio.ts'

/** Whom one channel's messages go to: a fake that shows what it took. */
export interface SendProvider {
  /** Settings of a server that sends by it. */
  settings: Record<string, string>
  /** The accepted messages, in order. */
  accepted(): Array<{ id: string; to: string }>
  requests(): number
  /**
   * Runs after a message was taken and before the answer. `false` breaks the connection instead of answering.
   */
  whenAccepted(hook: (() => Promise<boolean>) | null): void
  close(): Promise<void>
}

const ACCOUNT_SID = 'AC0123456789abcdef'
const AUTH_TOKEN = 'tok_torture'

export function startProvider(channel: Channel): Promise<SendProvider> {
  return channel === 'email' ? startResend() : startTwilio(channel)
}

async function startResend(): Promise<SendProvider> {
  const resend = await startFakeResend()
  return {
    settings: {
      EMAIL_PROVIDER: 'resend',
      RESEND_API_KEY: resend.apiKey,
      RESEND_BASE_URL: resend.url,
      EMAIL_RATE_PER_SECOND: '1000',
    },
    accepted: () => resend.emails.filter(isSend).flatMap(({ id, to }) => to.map((address) => ({ id, to: address }))),
    requests: () => resend.requests,
    whenAccepted: (hook) => void (resend.onAccepted = hook && ((email) => (isSend(email) ? hook() : undefined))),
    close: () => resend.close(),
  }
}

/** A mail to somebody who was invited. The mail of the sign-up has no tag. */
function isSend({ tags }: ResendEmail): boolean {
  return tags?.some(({ name }) => name === 'voc_delivery') ?? false
}

async function startTwilio(channel: 'sms' | 'voice'): Promise<SendProvider> {
  const twilio = await startFakeTwilio({ accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN })
  const taken = channel === 'sms' ? twilio.messages : twilio.calls
  return {
    settings: {
      TWILIO_ACCOUNT_SID: ACCOUNT_SID,
      TWILIO_AUTH_TOKEN: AUTH_TOKEN,
      TWILIO_BASE_URL: twilio.url,
      SMS_RATE_PER_SECOND: '1000',
      VOICE_RATE_PER_SECOND: '1000',
    },
    accepted: () => taken.map(({ sid, to }) => ({ id: sid, to })),
    requests: () => twilio.requests,
    whenAccepted: (hook) => void (twilio.onAccepted = hook),
    close: () => twilio.close(),
  }
}
