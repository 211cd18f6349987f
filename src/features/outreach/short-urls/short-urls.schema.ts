import { z } from 'zod'
import { countedPageOf } from '../../../http/routes/pagination.ts'
import { instantOrDay } from '../../../platform/instant.ts'
import { timezone } from '../../answers/reporting/report/reporting.schema.ts'
import { SLUG } from './slug.ts'

const fields = {
  target: z.string().max(2_000).describe('An absolute http(s) URL.'),
  survey_id: z.string().max(60).describe('A survey in place of a target: the short URL leads to its page.'),
  expires_at: instantOrDay
    .nullable()
    .describe('When the link stops working. A date means the end of that day in the time zone of the workspace.'),
  max_clicks: z
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .nullable()
    .describe('How many clicks by people it allows. Clicks by known programs do not count.'),
  forward_query: z
    .boolean()
    .describe(
      'Whether the query of a visit is added to the target. Parameters of the target itself win. A query of more ' +
        'than 2,000 characters is left out.',
    ),
}
const slug = z.string().regex(SLUG, 'Use 3 to 64 letters, digits, - and _.')

export const CreateShortUrl = z
  .strictObject({
    slug: slug.optional().describe('The end of the short URL. Default: a random one.'),
    target: fields.target.optional(),
    survey_id: fields.survey_id.optional(),
    expires_at: fields.expires_at.default(null),
    max_clicks: fields.max_clicks.default(null),
    forward_query: fields.forward_query.default(false),
  })
  .meta({ id: 'CreateShortUrl', description: 'Name either a target or a survey.' })

export const UpdateShortUrl = z
  .strictObject({ slug, ...fields })
  .partial()
  .meta({
    id: 'UpdateShortUrl',
    description: 'A new target replaces the survey, and a new survey the target. Anyone can then use the old slug.',
  })

export const ShortUrl = z
  .object({
    id: z.string(),
    slug: z.string(),
    url: z.string().describe('The short URL, to give to people.'),
    target: z.string().describe('The target, or the page of the survey.'),
    survey_id: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
    max_clicks: z.number().int().nullable(),
    forward_query: z.boolean(),
    clicks: z.number().int().describe('Clicks by people since it was made.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'ShortUrl' })

export const StatsQuery = z.strictObject({
  from: z.iso.date().optional().describe('The first day. Default: 29 days before `to`.'),
  to: z.iso.date().optional().describe('The last day. Default: today.'),
  timezone: timezone.optional().describe('IANA name. Default: the time zone of the workspace.'),
})

const clicks = { human: z.number().int(), bot: z.number().int() }

export const ShortUrlList = countedPageOf(ShortUrl)

export const ShortUrlStats = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    timezone: z.string(),
    totals: z.object(clicks).describe('The sum of these days.'),
    data: z.array(z.object({ date: z.iso.date(), ...clicks })).describe('Each day, even without clicks.'),
  })
  .meta({ id: 'ShortUrlStats' })

export const VisitQuery = z
  .looseObject({})
  .describe('Any parameters. A short URL with `forward_query` adds them to its target.')
