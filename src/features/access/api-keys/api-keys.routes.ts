import { pageOf, PageQuery } from '../../../http/routes/pagination.ts'
import { tenantRoute } from '../../../http/routes/route.ts'
import { ApiKey, ApiKeyWithSecret, CreateApiKey, UpdateApiKey } from './api-keys.schema.ts'
import {
  adoptApiKey,
  createApiKey,
  deleteApiKey,
  getApiKey,
  listApiKeys,
  rotateApiKey,
  updateApiKey,
} from './api-keys.service.ts'
import type { Feature } from '../../../platform/feature.ts'

const GRANTS = { 403: 'The caller lacks `api_keys.manage`, or a permission that the key has or would get.' }

const listApiKeysRoute = tenantRoute({
  method: 'get',
  path: '/api-keys',
  operationId: 'listApiKeys',
  summary: 'List API keys',
  tag: 'API keys',
  permission: 'api_keys.manage',
  query: PageQuery,
  response: { status: 200, schema: pageOf(ApiKey) },
  handler: (scope, { query }) => listApiKeys(scope, query),
})

const createApiKeyRoute = tenantRoute({
  method: 'post',
  path: '/api-keys',
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description: 'The answer shows the key once. The server stores only its SHA-256.',
  tag: 'API keys',
  permission: 'api_keys.manage',
  body: CreateApiKey,
  example: { name: 'Warehouse sync', permissions: ['integrations.manage'] },
  audit: ['api_key.create'],
  response: { status: 201, schema: ApiKeyWithSecret },
  problems: { ...GRANTS, 422: 'A permission is unknown, or `expires_at` is in the past.' },
  handler: (scope, { body }) => createApiKey(scope, body),
})

const getApiKeyRoute = tenantRoute({
  method: 'get',
  path: '/api-keys/:id',
  operationId: 'getApiKey',
  summary: 'Get an API key',
  tag: 'API keys',
  permission: 'api_keys.manage',
  params: { id: 'apiKey' },
  response: { status: 200, schema: ApiKey },
  handler: (scope, { params }) => getApiKey(scope, params.id),
})

const updateApiKeyRoute = tenantRoute({
  method: 'patch',
  path: '/api-keys/:id',
  operationId: 'updateApiKey',
  summary: 'Change an API key',
  tag: 'API keys',
  permission: 'api_keys.manage',
  params: { id: 'apiKey' },
  body: UpdateApiKey,
  example: { name: 'Warehouse sync, read only', permissions: [] },
  audit: ['api_key.update'],
  response: { status: 200, schema: ApiKey },
  problems: { ...GRANTS, 422: 'A permission is unknown, or `expires_at` is in the past.' },
  handler: (scope, { params, body }) => updateApiKey(scope, params.id, body),
})

const rotateApiKeyRoute = tenantRoute({
  method: 'post',
  path: '/api-keys/:id/rotate',
  operationId: 'rotateApiKey',
  summary: 'Replace the secret of an API key',
  description: 'The old key stops working at once. The answer shows the new one once.',
  tag: 'API keys',
  permission: 'api_keys.manage',
  params: { id: 'apiKey' },
  audit: ['api_key.rotate'],
  response: { status: 200, schema: ApiKeyWithSecret },
  problems: GRANTS,
  handler: (scope, { params }) => rotateApiKey(scope, params.id),
})

const adoptApiKeyRoute = tenantRoute({
  method: 'post',
  path: '/api-keys/:id/adopt',
  operationId: 'adoptApiKey',
  summary: 'Adopt an API key',
  description:
    'You become the maker of the key. A key acts only with permissions that its maker holds, and stops when its ' +
    'maker leaves the workspace. It works again once another member adopts it. If you call with an API key, the ' +
    'maker of your key becomes the maker. Your key must then hold every permission of the other key, and the former ' +
    'maker must have left the workspace.',
  tag: 'API keys',
  permission: 'api_keys.manage',
  params: { id: 'apiKey' },
  audit: ['api_key.adopt'],
  response: { status: 200, schema: ApiKey },
  problems: {
    403: 'The caller lacks `api_keys.manage`, or the calling key lacks a permission of the other key.',
    409:
      'The Idempotency-Key is in use. Or the caller is an API key, and the maker of the other key is still a member ' +
      '(`maker_present`).',
  },
  handler: (scope, { params }) => adoptApiKey(scope, params.id),
})

const deleteApiKeyRoute = tenantRoute({
  method: 'delete',
  path: '/api-keys/:id',
  operationId: 'deleteApiKey',
  summary: 'Revoke an API key',
  tag: 'API keys',
  permission: 'api_keys.manage',
  params: { id: 'apiKey' },
  audit: ['api_key.delete'],
  response: { status: 204 },
  async handler(scope, { params }) {
    await deleteApiKey(scope, params.id)
  },
})

export const apiKeys = {
  name: 'api-keys',
  routes: [
    listApiKeysRoute,
    createApiKeyRoute,
    getApiKeyRoute,
    updateApiKeyRoute,
    rotateApiKeyRoute,
    adoptApiKeyRoute,
    deleteApiKeyRoute,
  ],
} satisfies Feature
