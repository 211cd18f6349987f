import { z } from 'zod'

export const Verification = z
  .object({ verified: z.boolean().describe('Whether the mailbox is proved.') })
  .meta({ id: 'Verification' })

export const VerifyMailbox = z
  .strictObject({})
  .meta({ id: 'VerifyMailbox', description: 'Nothing: the token says all.' })
