import type { Feature } from '../../platform/feature.ts'
import { createApiKeyRoute, deleteApiKeyRoute, getApiKeyRoute, listApiKeysRoute, rotateApiKeyRoute, updateApiKeyRoute } from './api-keys.routes.ts'

export const apiKeys = {
  name: 'api-keys',
  routes: [listApiKeysRoute, createApiKeyRoute, getApiKeyRoute, updateApiKeyRoute, rotateApiKeyRoute, deleteApiKeyRoute],
} satisfies Feature
