import type { Feature } from '../../../platform/feature.ts'
import { DELIVERIES } from './wakes.service.ts'
import { createDeliveryEngine } from './engine/delivery-engine.ts'
import { deliveries } from './log/delivery.entity.ts'
import { getDeliveryRoute, getHealthRoute, listDeliveriesRoute, listWebhooksRoute } from './log/deliveries.routes.ts'
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
  rotateSecretRoute,
  testWebhookRoute,
  updateWebhookRoute,
} from './registration/webhooks.routes.ts'
import { ledgerCountsSweep, oldAttemptsSweep } from './log/log.sweeps.ts'
import { personal } from './log/personal.service.ts'
import { receivedRequests } from './test-receivers/personal.service.ts'
import {
  createReceiverRoute,
  deleteReceiverRoute,
  getReceiverRoute,
  listReceiversRoute,
  listRequestsRoute,
  updateReceiverRoute,
} from './test-receivers/receivers.routes.ts'
import { expiredReceiversSweep } from './test-receivers/receivers.sweeps.ts'
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
    listReceiversRoute,
    createReceiverRoute,
    getReceiverRoute,
    updateReceiverRoute,
    deleteReceiverRoute,
    listRequestsRoute,
  ],
  sweeps: [replaySweep, oldAttemptsSweep, ledgerCountsSweep, expiredReceiversSweep],
  retention: [
    { tables: ['webhook_attempts'], sweep: oldAttemptsSweep },
    { tables: ['test_receivers', 'test_receiver_requests'], sweep: expiredReceiversSweep },
    // Changes go when they are merged, counts and spans with their last delivery.
    { tables: ['webhook_ledger_changes', 'webhook_ledger_counts', 'webhook_ledger_spans'], sweep: ledgerCountsSweep },
  ],
  entities: { webhook_deliveries: deliveries },
  personal: { stores: [...personal.stores, receivedRequests] },
  engines: { [DELIVERIES]: createDeliveryEngine },
} satisfies Feature
