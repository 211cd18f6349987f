import type { Feature } from '../../platform/feature.ts'
import { createDeliveryEngine } from './delivery-engine.ts'
import { getDeliveryRoute, listDeliveriesRoute, replayDeliveryRoute, replayManyRoute } from './deliveries.routes.ts'
import {
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listWebhooksRoute,
  rotateSecretRoute,
  testWebhookRoute,
  updateWebhookRoute,
} from './webhooks.routes.ts'
import { replaySweep } from './webhooks.sweeps.ts'

export const webhooks = {
  name: 'webhooks',
  routes: [
    listWebhooksRoute,
    createWebhookRoute,
    testWebhookRoute,
    getWebhookRoute,
    updateWebhookRoute,
    deleteWebhookRoute,
    rotateSecretRoute,
    listDeliveriesRoute,
    replayManyRoute,
    getDeliveryRoute,
    replayDeliveryRoute,
  ],
  sweeps: [replaySweep],
  engines: { 'webhook-deliveries': createDeliveryEngine },
} satisfies Feature
