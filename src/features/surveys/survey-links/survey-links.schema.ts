import { z } from 'zod'
import { instantOrDay } from '../../../platform/instant.ts'
import { secret } from '../../../platform/schemas/secret-schema.ts'
import { BrandingChange } from '../../access/workspaces/org.schema.ts'

export const MOST_LINKS = 10_000

export const CreateSurveyLinks = z
  .strictObject({
    count: z.number().int().min(1).max(MOST_LINKS).default(1),
    expires_at: instantOrDay
      .nullable()
      .default(null)
      .describe(
        'When the links stop working. A date means the end of that day in the time zone of the workspace. Null means that ' +
          'they last as long as the survey.',
      ),
  })
  .meta({ id: 'CreateSurveyLinks' })

export const SurveyLinks = z
  .object({
    url: z.string().describe('The address of the survey. Replace `{token}` with a token.'),
    tokens: secret(
      z.array(z.string()).describe('One token for each link. The server signs but does not store them, so keep them.'),
    ),
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SurveyLinks' })

export const CreatePreviewLink = z
  .strictObject({
    branding: BrandingChange.optional().describe(
      'A look to try: it is shown by this link instead of that of the workspace. Members that you leave out stay.',
    ),
  })
  .meta({ id: 'CreatePreviewLink' })

export const PreviewLink = z
  .object({
    url: secret(z.string().describe('The page of the survey. It says that nothing is stored.')),
    channels: secret(
      z
        .object({ web: z.string(), email: z.string(), sms: z.string(), voice: z.string() })
        .describe(
          'The draft in each channel: the page, the mail that invites, and conversations by SMS and phone to reply to.',
        ),
    ),
    token: secret(
      z.string().describe('The `token` of that address. The routes of public capture take it too, and store nothing.'),
    ),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'PreviewLink' })
