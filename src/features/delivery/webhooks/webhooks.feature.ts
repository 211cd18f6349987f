import type { Feature } from '../../../platform/feature.ts'
import { DELIVERIES } from './wakes.service.ts'
import { createDeliveryEngine } from './engine/delivery-engine.ts'
import { deliveries } from './log/delivery.entity.ts'
import { getDeliveryRoute, getHealthRoute, listDeliveriesRoute } from './log/deliveries.routes.ts'
import {
  replayDeliveryRoute,
  replayManyRoute,
  resendDeliveryRoute,
  resendManyRoute,
  retryDeliveryRoute,
  sendTestRoute,
} from './replay/replays.routes.ts'
import {
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listWebhooksRoute,
  rotateSecretRoute,
  testWebhookRoute,
  updateWebhookRoute,
} from './registration/webhooks.routes.ts'
import { ledgerCountsSweep, oldAttemptsSweep } from './log/log.sweeps.ts'
import { personal } from './log/personal.service.ts'
import { replaySweep } from './replay/replays.sweeps.ts'

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
    getHealthRoute,
    listDeliveriesRoute,
    replayManyRoute,
    resendManyRoute,
    getDeliveryRoute,
    replayDeliveryRoute,
    retryDeliveryRoute,
    resendDeliveryRoute,
    sendTestRoute,
  ],
  sweeps: [replaySweep, oldAttemptsSweep, ledgerCountsSweep],
  retention: [
    { tables: ['webhook_attempts'], sweep: oldAttemptsSweep },
    // Changes go when they are merged, counts and spans with their last delivery.
    { tables: ['webhook_ledger_changes', 'webhook_ledger_counts', 'webhook_ledger_spans'], sweep: ledgerCountsSweep },
  ],
  entities: { webhook_deliveries: deliveries },
  personal,
  engines: { [DELIVERIES]: createDeliveryEngine },
} satisfies Feature
