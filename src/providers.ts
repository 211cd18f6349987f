import { createAi } from './adapters/ai/ai.ts'
import { createConsoleEmail } from './adapters/console/console.ts'
import { createResendCallbacks } from './adapters/resend/callbacks.ts'
import { createResendEmail } from './adapters/resend/resend.ts'
import { slack } from './adapters/slack/slack.ts'
import { createSmtpEmail } from './adapters/smtp/smtp.ts'
import { teams } from './adapters/teams/teams.ts'
import { createTwilioCallbacks } from './adapters/twilio/callbacks.ts'
import { createTwilio } from './adapters/twilio/twilio.ts'
import type { ChatProvider } from './platform/ports/chat-port.ts'
import type { ChatAdapter } from './platform/ports/chat.ts'
import type { Config } from './platform/config/config.ts'
import type { EmailAdapter, EmailCallbacksPort } from './platform/ports/email-port.ts'
import type { Log } from './platform/config/log.ts'
import type { Ports } from './platform/ports/ports.ts'

/** The ports to the providers of email, phone and language models. They live as long as the process. */
export interface Providers {
  ports: Pick<Ports, 'email' | 'emailCallbacks' | 'sms' | 'voice' | 'phoneCallbacks' | 'ai'>
  close(): Promise<void>
}

type EmailSettings = Config['email']
type EmailProvider = EmailSettings['provider']
interface Email<P extends EmailProvider> {
  create(settings: Extract<EmailSettings, { provider: P }>, config: Config, log: Log): EmailAdapter
  /** Reads what it reports about mails. A provider without reports takes Resend's form, for trials. */
  callbacks(settings: Config['emailCallbacks']): EmailCallbacksPort
}

/** Every provider that `EMAIL_PROVIDER` may name. */
const EMAIL: { [P in EmailProvider]: Email<P> } = {
  console: {
    create: ({ from }, { dataDir }, log) => createConsoleEmail({ from, folder: `${dataDir}/mail`, log }),
    callbacks: createResendCallbacks,
  },
  smtp: { create: (settings, _, log) => createSmtpEmail({ ...settings, log }), callbacks: createResendCallbacks },
  resend: { create: createResendEmail, callbacks: createResendCallbacks },
}

/** Every chat that a notification may go to. */
export const CHATS: Record<ChatProvider, ChatAdapter> = { slack, teams }

export function createProviders(config: Config, log: Log): Providers {
  const email = createEmail(config.email, config, log)
  const twilio = createTwilio(config.twilio)
  const ai = createAi(config.ai)
  return {
    ports: {
      email,
      emailCallbacks: EMAIL[config.email.provider].callbacks(config.emailCallbacks),
      sms: twilio.sms,
      voice: twilio.voice,
      phoneCallbacks: createTwilioCallbacks({ authToken: config.twilio.authToken, requireSigned: config.production }),
      ai,
    },
    async close() {
      await email.close()
      await twilio.close()
      await ai.close()
    },
  }
}

function createEmail<P extends EmailProvider>(
  settings: Extract<EmailSettings, { provider: P }>,
  config: Config,
  log: Log,
): EmailAdapter {
  const provider: Email<P> = EMAIL[settings.provider as P]
  return provider.create(settings, config, log)
}
