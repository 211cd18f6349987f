import { z } from 'zod'
import { instant } from '../../../platform/instant.ts'
import { timezone } from '../../answers/reporting/reporting.schema.ts'
import { SLUG } from './slug.ts'

const fields = {
  target: z.string().max(2_000).describe('An absolute http(s) URL.'),
  survey_id: z.string().max(60).describe('In place of a target: the page of this survey.'),
  expires_at: instant.nullable(),
  max_clicks: z
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullable()
    .describe('Of people; known programs do not use them up.'),
  forward_query: z
    .boolean()
    .describe(
      'Whether the query of a visit is added to the target. Parameters that the target has itself stay as they are; a query of more than 2,000 characters is left out.',
    ),
}
const slug = z.string().regex(SLUG, 'Between 3 and 64 letters, digits, - and _ are needed.')

export const CreateShortUrl = z
  .strictObject({
    slug: slug.optional().describe('Made where absent.'),
    target: fields.target.optional(),
    survey_id: fields.survey_id.optional(),
    expires_at: fields.expires_at.default(null),
    max_clicks: fields.max_clicks.default(null),
    forward_query: fields.forward_query.default(false),
  })
  .meta({ id: 'CreateShortUrl', description: 'Either a target or a survey.' })

export const UpdateShortUrl = z
  .strictObject({ slug, ...fields })
  .partial()
  .meta({
    id: 'UpdateShortUrl',
    description:
      'A target takes the place of a survey, and a survey that of a target. The old slug is free for anybody.',
  })

export const ShortUrl = z
  .object({
    id: z.string(),
    slug: z.string(),
    url: z.string().describe('What to hand out.'),
    target: z.string().describe('Where it leads; the page of the survey where it belongs to one.'),
    survey_id: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
    max_clicks: z.number().int().nullable(),
    forward_query: z.boolean(),
    clicks: z.number().int().describe('Of people, since it was made.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ShortUrl' })

export const StatsQuery = z.strictObject({
  from: z.iso.date().optional().describe('First day; absent: 29 days before `to`.'),
  to: z.iso.date().optional().describe('Last day; absent: today.'),
  timezone: timezone.optional().describe('IANA name; absent: that of the workspace.'),
})

const clicks = { human: z.number().int(), bot: z.number().int() }

export const ShortUrlStats = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    timezone: z.string(),
    totals: z.object(clicks).describe('Of these days.'),
    data: z.array(z.object({ date: z.iso.date(), ...clicks })).describe('Each day, also those without a click.'),
  })
  .meta({ id: 'ShortUrlStats' })

export const VisitQuery = z
  .looseObject({})
  .describe('Anything. A short URL with `forward_query` hands it on to its target.')
