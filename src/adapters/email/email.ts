import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import { createConsoleEmail } from './console.ts'
import type { EmailAdapter } from './email-adapter.ts'
import { createResendEmail } from './resend.ts'
import { createSmtpEmail } from './smtp.ts'

/** The email port that `EMAIL_PROVIDER` names. */
export function createEmail({ email, dataDir }: Config, log: Log): EmailAdapter {
  if (email.provider === 'smtp') return createSmtpEmail({ ...email, log })
  if (email.provider === 'resend') return createResendEmail(email)
  return createConsoleEmail({ from: email.from, folder: `${dataDir}/mail`, log })
}
