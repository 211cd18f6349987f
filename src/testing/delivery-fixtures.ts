import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { stageEvent } from '../features/delivery/publishing/publishing.service.ts'
import { createDeliveryEngine, type DeliveryEngine } from '../features/delivery/webhooks/engine/delivery-engine.ts'
import { listDeliveries } from '../features/delivery/webhooks/log/deliveries.service.ts'
import type { FreshSender } from '../features/delivery/webhooks/staging/fresh-sender.ts'
import { createWebhook } from '../features/delivery/webhooks/registration/webhooks.service.ts'
import { newId, type TenantId } from '../platform/ids.ts'
import type { Scope } from '../platform/scope.ts'
import { startTestServer, type TestServer } from './harness.ts'
import { startReceiver, type Receiver } from './receiver.ts'

// Live bindings: each test file has its own module, and so its own server.
export let server: TestServer
export let receiver: Receiver
export let engine: DeliveryEngine
export let tenantId: TenantId

/** Starts a server, and for each test a receiver, a workspace and an engine. */
export function setUpDeliveries(): void {
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    // A sweep looks at every tenant, so it would also do the work that an earlier test left.
    await server.peek('truncate webhooks, events, webhook_deliveries, webhook_queue, webhook_attempts')
    receiver = await startReceiver()
    engine = newEngine()
    tenantId = newId('workspace')
    await server.services.bus.listen({ 'webhook-deliveries': current })
  })
  afterEach(async () => {
    await engine.stop()
    await server.services.bus.stop()
    await receiver.close()
  })
}

// The present engine. Tests replace it.
const current: FreshSender = {
  wake: (wake) => engine.wake(wake),
  hold: (tenant, webhook) => engine.hold(tenant, webhook),
}

/** Replaces the engine that wakes reach. */
export function useEngine(next: DeliveryEngine): void {
  engine = next
}

export function newEngine(): DeliveryEngine {
  const { run, log, settings } = server.services
  return createDeliveryEngine({ run, log, settings, clock: server.clock, metrics: new Registry() })
}

export function asTenant<T>(work: (scope: Scope) => Promise<T>, tenant = tenantId): Promise<T> {
  return server.services.run((system) => work(system.tenant(tenant, { type: 'system' })))
}

const registration = {
  description: '',
  tags: [],
  headers: {},
  events: [],
  survey_ids: [],
  include_text: true,
  include_custom_data: true,
  include_answers: true,
}
export const register = (over: object = {}) =>
  asTenant((scope) => createWebhook(scope, { ...registration, url: receiver.url, ...over }))

let sources = 0
export function stage(over: object = {}): Promise<{ enqueued: number }> {
  sources += 1
  const data = { responseId: 'rsp_1', score: null, answers: [], text: [], customData: {} }
  return asTenant((scope) =>
    scope.tx((tx) =>
      stageEvent(scope, tx, { type: 'response.completed', surveyId: null, source: `test:${sources}`, data, ...over }),
    ),
  )
}

// A wake is posted in the next turn of the event loop.
export async function settle(): Promise<void> {
  await new Promise((resume) => setImmediate(resume))
  await engine.idle()
}

export async function ledger(query: object = {}) {
  return asTenant((scope) =>
    listDeliveries(scope, { limit: 100, ...query } as Parameters<typeof listDeliveries>[1], {
      limit: 100,
      before: null,
    }),
  )
}

export async function only() {
  const { data } = await ledger()
  expect(data).toHaveLength(1)
  return data[0] as (typeof data)[number]
}
