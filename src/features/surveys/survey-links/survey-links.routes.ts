import { tenantRoute } from '../../../http/route.ts'
import { CreateSurveyLinks, SurveyLinks } from './survey-links.schema.ts'
import { createSurveyLinks } from './survey-links.service.ts'

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
  masks: ['tokens'],
  problems: { 422: 'The survey takes no single-use links, or `expires_at` is in the past.' },
  handler: (scope, { params: { id }, body }) => createSurveyLinks(scope, id, body),
})
