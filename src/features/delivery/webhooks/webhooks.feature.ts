import type { Feature } from '../../../platform/feature.ts'
import { exportedDeliveries } from './log/deliveries.service.ts'
import { Delivery } from './log/deliveries.schema.ts'
import { DELIVERIES } from './wakes.service.ts'
import { listDeliveryBacklog } from './engine/health.store.ts'
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
import { listReceivers, personal } from './log/personal.service.ts'
import { receivedRequests } from './test-receivers/personal.service.ts'
import {
  createReceiverRoute,
  deleteReceiverRoute,
  getReceiverRoute,
  listReceiversRoute,
  listRequestsRoute,
  updateReceiverRoute,
} from './test-receivers/receivers.routes.ts'
import { webhookUrls } from './registration/webhook-state.service.ts'
import type { Sweep } from '../../../platform/work/sweeps.ts'
import { countDueLedgers } from './log/ledger-counts.service.ts'
import { removeOldAttempts } from './log/retention.service.ts'
import { continueResend } from './replay/bulk-resends.service.ts'
import { carryOnJobs, hasWaitingJobs } from './replay/jobs.service.ts'
import { listJobBacklog } from './replay/jobs.store.ts'
import { continueReplay } from './replay/replays.service.ts'
import { endExpired, isExpired } from './test-receivers/receivers.service.ts'

/** Ends test receivers whose hour is over. */
export const expiredReceiversSweep: Sweep = {
  name: 'webhooks.test-receivers',
  everySeconds: 60,
  isDue: isExpired,
  run: endExpired,
}

/** Carries on replays of many deliveries, a batch at a time, after a restart as well. */
export const replaySweep: Sweep = {
  name: 'webhooks.replay',
  everySeconds: 300,
  isDue: (tx, now, among) => hasWaitingJobs(tx, among, 'replay', now),
  run: (system, options) => carryOnJobs(system, options, 'replay', continueReplay),
}

/** Carries on resends likewise. */
export const resendSweep: Sweep = {
  name: 'webhooks.resend',
  everySeconds: 300,
  isDue: (tx, now, among) => hasWaitingJobs(tx, among, 'resend', now),
  run: (system, options) => carryOnJobs(system, options, 'resend', continueResend),
}

/** Removes single attempts after `RETENTION_ATTEMPTS_DAYS`. */
export const oldAttemptsSweep: Sweep = {
  name: 'webhooks.attempts-retention',
  everySeconds: 3600,
  run: removeOldAttempts,
}

/** Counts large delivery logs, a span at a time, and takes off the deliveries that retention removed. */
export const ledgerCountsSweep: Sweep = { name: 'webhooks.ledger-counts', everySeconds: 10, run: countDueLedgers }

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
  sweeps: [replaySweep, resendSweep, oldAttemptsSweep, ledgerCountsSweep, expiredReceiversSweep],
  retention: [
    { tables: ['webhook_attempts'], sweep: oldAttemptsSweep },
    { tables: ['test_receivers', 'test_receiver_requests'], sweep: expiredReceiversSweep },
    // Changes go when they are merged, counts and spans with their last delivery.
    { tables: ['webhook_ledger_changes', 'webhook_ledger_counts', 'webhook_ledger_spans'], sweep: ledgerCountsSweep },
  ],
  entities: { webhook_deliveries: deliveries },
  parts: {
    lists: {
      webhook_deliveries: {
        members: Object.keys(Delivery.shape),
        moment: 'created_at',
        suggests: ['status', 'event'],
        exported: exportedDeliveries,
      },
    },
    names: { webhook: webhookUrls },
    queues: { webhook_deliveries: listDeliveryBacklog, webhook_jobs: listJobBacklog },
    copies: { webhooks: listReceivers },
  },
  personal: { stores: [...personal.stores, receivedRequests] },
  engines: { [DELIVERIES]: createDeliveryEngine },
} satisfies Feature
