import type { Config } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { EmailPort } from '../../platform/ports.ts'
import { createConsoleEmail } from './console.ts'
import { createSmtpEmail } from './smtp.ts'

/** The email port that `EMAIL_PROVIDER` names. */
export function createEmail(config: Config, log: Log): EmailPort {
  if (config.email.provider === 'smtp') return createSmtpEmail(config.email)
  return createConsoleEmail({ from: config.email.from, folder: `${config.dataDir}/mail`, log })
}
