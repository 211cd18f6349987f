import type { z } from 'zod'
import { notFound } from '../../../../http/problems/problem.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { findWebhook } from '../registration/webhook-state.service.ts'
import { percentile } from '../staging/latency-class.ts'
import type { WebhookHealth } from './deliveries.schema.ts'
import { presentDelivery } from './deliveries.service.ts'
import * as deliveries from './deliveries.store.ts'
import * as store from './health.store.ts'

const HOUR_MS = 3_600_000
const HOURS = 7 * 24
const FAILURES = 10

/** How the attempts of a webhook went in the last 7 days, by hour. Tests do not count. @throws Problem 404. */
export async function readHealth(scope: Scope, id: Id<'webhook'>): Promise<z.input<typeof WebhookHealth>> {
  const now = scope.clock.now().getTime()
  const first = (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS
  const { rows, failures } = await scope.read(async (tx) => {
    if (!(await findWebhook(tx, id))) throw notFound('webhook')
    const filter = { status: 'failed' as const, webhookId: id, withoutTests: true }
    const failures = await deliveries.listUndelivered(tx, filter, { limit: FAILURES, before: null })
    return { rows: await store.listHealth(tx, id, new Date(first)), failures }
  })
  const byHour = Map.groupBy(rows, ({ hour }) => hour.getTime())
  return {
    webhook_id: formatId('webhook', id),
    since: new Date(first).toISOString(),
    until: new Date(now).toISOString(),
    ...figuresOf(rows),
    last_failures: mayReadDeliveries(scope) ? failures.slice(0, FAILURES).map(presentDelivery) : [],
    by_hour: Array.from({ length: HOURS }, (_, index) => {
      const hour = first + index * HOUR_MS
      return { hour: new Date(hour).toISOString(), ...figuresOf(byHour.get(hour) ?? []) }
    }),
  }
}

// Deliveries are read with this permission alone.
function mayReadDeliveries({ principal }: Scope): boolean {
  return 'permissions' in principal && principal.permissions.has('integrations.manage')
}

function figuresOf(rows: store.HealthRow[]) {
  const attempts = rows.reduce((sum, row) => sum + row.attempts, 0)
  const succeeded = rows.reduce((sum, row) => sum + (row.succeeded ? row.attempts : 0), 0)
  const counts = rows.map((row) => [row.latency_class, row.attempts] as const)
  return {
    attempts,
    succeeded,
    failed: attempts - succeeded,
    success_rate: attempts === 0 ? null : Math.round((succeeded / attempts) * 10_000) / 100,
    p50_latency_ms: percentile(counts, 0.5),
    p95_latency_ms: percentile(counts, 0.95),
  }
}
