import { pageOf, PageQuery } from '../../../http/routes/pagination.ts'
import { spend } from '../../../http/limits/rate-limit.ts'
import { STALE, tagged } from '../../../http/routes/headers.ts'
import { tenantRoute, type Route } from '../../../http/routes/route.ts'
import {
  CreateEmailTemplate,
  EmailPreview,
  EmailTemplateDetail,
  EmailTemplateSummary,
  EmailTemplateVersion,
  PreviewEmailTemplate,
  TestEmailTemplate,
  UpdateEmailTemplate,
  VersionQuery,
} from './email-templates.schema.ts'
import {
  createEmailTemplate,
  deleteEmailTemplate,
  getEmailTemplate,
  listEmailTemplates,
  listTemplateVersions,
  updateEmailTemplate,
} from './email-templates.service.ts'
import { previewEmailTemplate, sendTestEmail } from './previews.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const tag = 'Email templates'
const params = { id: 'template' } as const
const BROKEN =
  '`invalid_template`: it does not parse, has active content, or has no unsubscribe link. `issues` says where.'
const CONTENT = {
  en: {
    subject: '{{ workspace.name }} asks for your opinion',
    html: '<p>Hello {{ name }},</p>{% score_links %}<p><a href="{{ survey_url }}">Answer</a> · <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>',
  },
}

export const listEmailTemplatesRoute = tenantRoute({
  method: 'get',
  path: '/email-templates',
  operationId: 'listEmailTemplates',
  summary: 'List email templates',
  tag,
  query: PageQuery,
  response: { status: 200, schema: pageOf(EmailTemplateSummary) },
  handler: (scope, { query }) => listEmailTemplates(scope, query),
})

export const createEmailTemplateRoute = tenantRoute({
  method: 'post',
  path: '/email-templates',
  operationId: 'createEmailTemplate',
  summary: 'Write an email template',
  tag,
  permission: 'templates.manage',
  body: CreateEmailTemplate,
  example: { name: 'After delivery', content: CONTENT, default_language: 'en' },
  audit: ['template.create'],
  response: { status: 201, schema: EmailTemplateDetail, headers: ['ETag'] },
  problems: { 422: BROKEN },
  handler: async (scope, { body, c }) => tagged(c, await createEmailTemplate(scope, body)),
})

export const getEmailTemplateRoute = tenantRoute({
  method: 'get',
  path: '/email-templates/:id',
  operationId: 'getEmailTemplate',
  summary: 'Read an email template',
  tag,
  params,
  response: { status: 200, schema: EmailTemplateDetail, headers: ['ETag'] },
  handler: async (scope, { params: { id }, c }) => tagged(c, await getEmailTemplate(scope, id)),
})

export const updateEmailTemplateRoute = tenantRoute({
  method: 'patch',
  path: '/email-templates/:id',
  operationId: 'updateEmailTemplate',
  summary: 'Change an email template',
  description: 'A change of the content or the default language makes a new version. Earlier versions stay readable.',
  tag,
  permission: 'templates.manage',
  params,
  headers: ['if-match'],
  body: UpdateEmailTemplate,
  example: { content: CONTENT },
  audit: ['template.update'],
  response: { status: 200, schema: EmailTemplateDetail, headers: ['ETag'] },
  problems: { ...STALE, 409: '`too_many_versions`.', 422: BROKEN },
  handler: async (scope, { params: { id }, body, c }) =>
    tagged(c, await updateEmailTemplate(scope, id, body, c.req.header('if-match'))),
})

export const deleteEmailTemplateRoute = tenantRoute({
  method: 'delete',
  path: '/email-templates/:id',
  operationId: 'deleteEmailTemplate',
  summary: 'Delete an email template',
  description: 'Messages that wait are still sent with it, and so are their reminders.',
  tag,
  permission: 'templates.manage',
  params,
  headers: ['if-match'],
  audit: ['template.delete'],
  response: { status: 204 },
  problems: STALE,
  handler: (scope, { params: { id }, c }) => deleteEmailTemplate(scope, id, c.req.header('if-match')),
})

export const listTemplateVersionsRoute = tenantRoute({
  method: 'get',
  path: '/email-templates/:id/versions',
  operationId: 'listEmailTemplateVersions',
  summary: 'Versions of an email template, newest first',
  tag,
  params,
  query: VersionQuery,
  response: { status: 200, schema: pageOf(EmailTemplateVersion) },
  handler: (scope, { params: { id }, query }) => listTemplateVersions(scope, id, query),
})

export const previewEmailTemplateRoute = tenantRoute({
  method: 'post',
  path: '/email-templates/:id/preview',
  operationId: 'previewEmailTemplate',
  summary: 'Preview a mail, or a draft of one, with example data',
  description: 'Every member can preview what is stored. A draft needs `templates.manage`.',
  tag,
  idempotent: false,
  params,
  body: PreviewEmailTemplate,
  optionalBody: true,
  example: { language: 'en', name: 'Ada', custom: { plan: 'pro' } },
  audit: { none: 'It only reads.' },
  response: { status: 200, schema: EmailPreview },
  problems: {
    403: 'The request has a draft, and the caller lacks `templates.manage`.',
    422: `${BROKEN} \`template_failed\`: it takes too much work with these values.`,
  },
  handler: (scope, { params: { id }, body }) => previewEmailTemplate(scope, id, body),
})

export const testEmailTemplateRoute = tenantRoute({
  method: 'post',
  path: '/email-templates/:id/test',
  operationId: 'testEmailTemplate',
  summary: 'Send a mail with example data to an address',
  description: 'Its links lead nowhere. A workspace can send 10 a minute.',
  tag,
  permission: 'templates.manage',
  params,
  body: TestEmailTemplate,
  example: { to: 'ada@example.com', language: 'en' },
  audit: ['template.test'],
  response: { status: 202, description: 'It is sent within seconds.' },
  problems: { 409: '`erased`.', 422: '`invalid_address`, `suppressed` or `template_failed`.' },
  async handler(scope, { params: { id }, body, limiters }) {
    await spend(limiters.templateTest, scope.tenantId)
    await sendTestEmail(scope, id, body)
  },
})

export const emailTemplates = {
  name: 'email-templates',
  routes: [
    createEmailTemplateRoute,
    deleteEmailTemplateRoute,
    getEmailTemplateRoute,
    listEmailTemplatesRoute,
    listTemplateVersionsRoute,
    previewEmailTemplateRoute,
    testEmailTemplateRoute,
    updateEmailTemplateRoute,
  ],
} satisfies Feature<Route>
