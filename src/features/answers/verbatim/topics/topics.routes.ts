import { pageOf, PageQuery } from '../../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../../http/routes/route.ts'
import { CreateTopic, Topic, UpdateTopic } from './topics.schema.ts'
import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from './topics.service.ts'

const tag = 'Verbatim'
const permission = 'responses.manage'

export const listTopicsRoute = tenantRoute({
  method: 'get',
  path: '/topics',
  operationId: 'listTopics',
  summary: 'List topics and the progress of their classification',
  tag,
  query: PageQuery,
  response: { status: 200, schema: pageOf(Topic) },
  handler: (scope, { query }) => listTopics(scope, query),
})

export const createTopicRoute = tenantRoute({
  method: 'post',
  path: '/topics',
  operationId: 'createTopic',
  summary: 'Create a topic',
  description: 'Every text is classified again in the background. `classification` says how far it is.',
  tag,
  permission,
  body: CreateTopic,
  example: { name: 'Packaging', keywords: { en: ['box', 'packag*'], de: ['verpackung'] } },
  audit: ['topic.create'],
  response: { status: 201, schema: Topic },
  problems: { 409: '`too_many_topics`.', 422: '`unknown_survey`.' },
  handler: (scope, { body }) => createTopic(scope, body),
})

export const getTopicRoute = tenantRoute({
  method: 'get',
  path: '/topics/:id',
  operationId: 'getTopic',
  summary: 'Read a topic',
  tag,
  params: { id: 'topic' },
  response: { status: 200, schema: Topic },
  handler: (scope, { params }) => getTopic(scope, params.id),
})

export const updateTopicRoute = tenantRoute({
  method: 'patch',
  path: '/topics/:id',
  operationId: 'updateTopic',
  summary: 'Change a topic',
  description:
    'Members that you leave out keep their values. Every change except a new name classifies all texts again.',
  tag,
  permission,
  params: { id: 'topic' },
  body: UpdateTopic,
  example: { enabled: false },
  audit: ['topic.update'],
  response: { status: 200, schema: Topic },
  problems: { 422: '`unknown_survey`.' },
  handler: (scope, { params, body }) => updateTopic(scope, params.id, body),
})

export const deleteTopicRoute = tenantRoute({
  method: 'delete',
  path: '/topics/:id',
  operationId: 'deleteTopic',
  summary: 'Delete a topic',
  tag,
  permission,
  params: { id: 'topic' },
  audit: ['topic.delete'],
  response: { status: 204 },
  handler: (scope, { params }) => deleteTopic(scope, params.id),
})
