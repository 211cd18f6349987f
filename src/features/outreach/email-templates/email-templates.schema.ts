import { z } from 'zod'
import { PageQuery } from '../../../http/routes/pagination.ts'
import { LONGEST } from './liquid.ts'
import { nameLine } from '../../../platform/schemas/line-schema.ts'

const name = nameLine(120)
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/
const language = z.string().max(35).regex(LANGUAGE, 'Use a language such as en or de-AT.')

const Content = z
  .record(
    language,
    z.strictObject({
      subject: z.string().min(1).max(1_000),
      html: z.string().min(1).max(LONGEST),
      text: z.string().min(1).max(LONGEST).optional().describe('Default: made from the HTML.'),
    }),
  )
  .refine((content) => Object.keys(content).length > 0 && Object.keys(content).length <= 40, 'Use 1 to 40 languages.')
  .meta({
    propertyNames: { pattern: LANGUAGE.source, maxLength: 35 },
    minProperties: 1,
    maxProperties: 40,
    description:
      'Liquid, by language. Variables: name, language, survey, workspace, survey_url, unsubscribe_url, ' +
      'score_urls, custom; and the tag score_links. Every HTML and text needs a link to unsubscribe_url.',
  })

export const CreateEmailTemplate = z
  .strictObject({ name, content: Content, default_language: language })
  .meta({ id: 'CreateEmailTemplate' })

export const UpdateEmailTemplate = CreateEmailTemplate.partial().meta({
  id: 'UpdateEmailTemplate',
  description:
    'A change of the content or the default language makes a new version. Messages that wait are sent with the ' +
    'latest version.',
})

const summary = {
  id: z.string(),
  name: z.string(),
  version: z.number().int(),
  default_language: z.string(),
  languages: z.array(z.string()),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}

export const EmailTemplateSummary = z.object(summary).meta({ id: 'EmailTemplateSummary' })

export const EmailTemplateDetail = z.object({ ...summary, content: Content }).meta({ id: 'EmailTemplate' })

export const VersionQuery = PageQuery.extend({
  limit: z.coerce.number().int().min(1).max(20).default(10).describe('Rows in a page.'),
})

export const EmailTemplateVersion = z
  .object({
    version: z.number().int(),
    default_language: z.string(),
    content: Content,
    created_at: z.iso.datetime(),
    created_by: z.string().nullable().describe('`user:…` or `api_key:…`.'),
  })
  .meta({ id: 'EmailTemplateVersion' })

const custom = z
  .record(z.string().min(1).max(64), z.union([z.string().max(2_000), z.number(), z.boolean()]))
  .refine((values) => Object.keys(values).length <= 50, 'Use at most 50 values.')
  .meta({ propertyNames: { minLength: 1, maxLength: 64 }, maxProperties: 50 })

export const PreviewEmailTemplate = z
  .strictObject({
    language: language.optional().describe('Default: the default language of the template.'),
    name: z.string().max(120).optional(),
    custom: custom.optional(),
    content: Content.optional().describe('A draft to show in place of the stored content.'),
    default_language: language.optional(),
  })
  .meta({ id: 'PreviewEmailTemplate' })

export const EmailPreview = z
  .object({
    language: z.string().describe('The language that was used.'),
    subject: z.string(),
    html: z.string().describe('Show it in a sandboxed frame.'),
    text: z.string(),
  })
  .meta({ id: 'EmailPreview' })

export const TestEmailTemplate = z
  .strictObject({
    to: z.string().min(1).max(320),
    language: language.optional(),
    name: z.string().max(120).optional(),
    custom: custom.optional(),
  })
  .meta({ id: 'TestEmailTemplate' })
