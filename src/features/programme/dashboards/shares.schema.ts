import { z } from 'zod'
import { instantOrDay } from '../../../platform/instant.ts'
import { secret } from '../../../platform/secret-schema.ts'

export const CreateShare = z
  .strictObject({
    expires_at: instantOrDay
      .optional()
      .describe(
        'From then on the link answers 404. A date means the end of that day in the time zone of the workspace. Default: never.',
      ),
    password: z.string().min(8).max(200).optional().describe('Readers must send it.'),
  })
  .meta({ id: 'CreateDashboardShare' })

export const CreatedShare = z
  .object({
    id: z.string(),
    token: secret(z.string().describe('Part of the public addresses. It is shown only now.')),
  })
  .meta({ id: 'CreatedDashboardShare' })

export const SharePassword = z.strictObject({ password: z.string().min(1).max(200) }).meta({ id: 'SharePassword' })
