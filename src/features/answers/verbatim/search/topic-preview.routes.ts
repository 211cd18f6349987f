import { tenantRoute } from '../../../../http/routes/route.ts'
import { PreviewTopic, TopicPreview } from '../topics/topics.schema.ts'
import { previewTopic } from './topic-preview.service.ts'

export const previewTopicRoute = tenantRoute({
  method: 'post',
  path: '/topics/preview',
  operationId: 'previewTopic',
  summary: 'Show which texts a topic would have',
  description: 'Reads the newest 10,000 texts, for at most 4 seconds. Nothing is stored.',
  tag: 'Verbatim',
  permission: 'responses.manage',
  idempotent: false,
  body: PreviewTopic,
  example: { keywords: { en: ['box', 'packag*'] } },
  audit: { none: 'It only reads.' },
  response: { status: 200, schema: TopicPreview },
  problems: { 422: '`unknown_survey`.' },
  handler: (scope, { body }) => previewTopic(scope, body),
})
