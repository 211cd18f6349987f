import { z } from 'zod'
import { instant } from '../../../platform/instant.ts'

export const MOST_LINKS = 10_000

export const CreateSurveyLinks = z
  .strictObject({
    count: z.number().int().min(1).max(MOST_LINKS).default(1),
    expires_at: instant
      .nullable()
      .default(null)
      .describe('The links stop working at this moment; null: they last as long as the survey.'),
  })
  .meta({ id: 'CreateSurveyLinks' })

export const SurveyLinks = z
  .object({
    url: z.string().describe('The address of the survey; put a token in place of `{token}`.'),
    tokens: z
      .array(z.string())
      .describe('One for each link. They are signed, not stored: keep them, for they are shown only here.'),
    expires_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SurveyLinks' })
