import { z } from 'zod'
import { nameLine } from '../../../platform/schemas/line-schema.ts'
import { METRICS } from '../../../survey-engine/model/definition.ts'

const fields = {
  name: nameLine(200).describe('A name for the team.'),
  survey_id: z.string().max(60),
  metric: z.enum(METRICS).describe('NPS, or the share of satisfied or easy answers.'),
  period_days: z.number().int().min(1).max(3_650).describe('The days up to now whose answers count.'),
  min_n: z.number().int().min(1).max(1_000_000).describe('With fewer answers the badge says "not enough data".'),
  label: nameLine(60).describe('The words beside the figure.'),
  style: z.enum(['flat', 'card']),
  color: z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Use a colour such as #0f766e.'),
  enabled: z.boolean().describe('A disabled badge answers 404.'),
}

export const CreateBadge = z
  .strictObject({
    ...fields,
    period_days: fields.period_days.default(90),
    min_n: fields.min_n.default(5),
    label: fields.label.optional().describe('Default: the name of the metric.'),
    style: fields.style.default('flat'),
    color: fields.color.optional().describe('Default: the colour of the workspace.'),
    enabled: fields.enabled.default(true),
  })
  .meta({ id: 'CreateBadge' })

export const UpdateBadge = z.strictObject(fields).partial().meta({ id: 'UpdateBadge' })

export const Badge = z
  .object({
    id: z.string(),
    ...fields,
    token: z.string().describe('Part of the public addresses.'),
    svg_url: z.string(),
    json_url: z.string(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Badge' })

export const PublicBadge = z
  .object({
    label: z.string(),
    value: z
      .number()
      .nullable()
      .describe('NPS from -100 to 100, CSAT in per cent, CES from 1 to 7. Null with too few.'),
    n: z.number().int(),
    updated_at: z.iso.datetime(),
    enough: z.boolean(),
  })
  .meta({ id: 'PublicBadge' })

export const BadgePreview = PublicBadge.omit({ updated_at: true })
  .extend({ svg: z.string().describe('The picture. It holds no script, link or outside part.') })
  .meta({ id: 'BadgePreview' })
