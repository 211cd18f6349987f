import { tenantRoute } from '../../../http/routes/route.ts'
import { createPreviewLink } from './preview-links.service.ts'
import { CreatePreviewLink, CreateSurveyLinks, PreviewLink, SurveyLinks } from './survey-links.schema.ts'
import { createSurveyLinks } from './survey-links.service.ts'
import type { Feature } from '../../../platform/feature.ts'

export const createSurveyLinksRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/links',
  operationId: 'createSurveyLinks',
  summary: 'Make single-use links',
  description: 'Each link takes one response. You send them yourself. Invitations make links of their own.',
  tag: 'Surveys',
  permission: 'dispatch.send',
  params: { id: 'survey' },
  body: CreateSurveyLinks,
  optionalBody: true,
  example: { count: 100, expires_at: '2027-01-31T23:00:00Z' },
  audit: ['survey.create_links'],
  response: { status: 201, schema: SurveyLinks },
  problems: { 422: 'The survey takes no single-use links, or `expires_at` is in the past.' },
  handler: (scope, { params: { id }, body }) => createSurveyLinks(scope, id, body),
})

export const createPreviewLinkRoute = tenantRoute({
  method: 'post',
  path: '/surveys/:id/preview-links',
  operationId: 'createPreviewLink',
  summary: 'Make a link that shows the draft',
  description:
    'For 24 hours anybody with the link can try the draft, in any state of the survey, and see each change of it. ' +
    'Nothing is stored: no response, no partial, no event, no place of a quota. `?at=` with the id of a question opens ' +
    'the page there.',
  tag: 'Surveys',
  permission: 'surveys.manage',
  params: { id: 'survey' },
  body: CreatePreviewLink,
  optionalBody: true,
  example: { branding: { color: '#0f766e' } },
  audit: ['survey.create_preview_link'],
  response: { status: 201, schema: PreviewLink },
  problems: { 422: '`low_contrast`, or a logo that cannot be had.' },
  handler: (scope, { params: { id }, body }) => createPreviewLink(scope, id, body),
})

export const surveyLinks = {
  name: 'survey-links',
  routes: [createSurveyLinksRoute, createPreviewLinkRoute],
} satisfies Feature
