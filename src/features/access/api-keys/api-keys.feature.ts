import type { Feature } from '../../../platform/feature.ts'
import {
  adoptApiKeyRoute,
  createApiKeyRoute,
  deleteApiKeyRoute,
  getApiKeyRoute,
  listApiKeysRoute,
  rotateApiKeyRoute,
  updateApiKeyRoute,
} from './api-keys.routes.ts'

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
