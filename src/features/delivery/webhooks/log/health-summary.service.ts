import type { z } from 'zod'
import type { Page, PageRequest } from '../../../../http/routes/pagination.ts'
import { parseId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { listWebhooks } from '../registration/webhooks.service.ts'
import { percentile } from '../staging/latency-class.ts'
import type { WebhookHealthSummary, WebhookWithHealth } from './deliveries.schema.ts'
import * as store from './health.store.ts'

const HOUR_MS = 3_600_000
const HOURS = 7 * 24
const BIN_MS = 6 * HOUR_MS
const BINS = 28

type Listed = z.input<typeof WebhookWithHealth>
type Summary = z.input<typeof WebhookHealthSummary>

/** A page of webhooks, each with its health if that is asked for. */
export async function listWithHealth(
  scope: Scope,
  page: PageRequest,
  include: 'health' | undefined,
): Promise<Page<Listed>> {
  const listed = await listWebhooks(scope, page)
  if (include === undefined) return listed
  const summaryOf = await readSummaries(scope, listed.data)
  return { ...listed, data: listed.data.map((webhook) => ({ ...webhook, health: summaryOf(webhook) })) }
}

async function readSummaries(scope: Scope, listed: Listed[]): Promise<(webhook: Listed) => Summary> {
  const ids = listed.flatMap(({ id }) => parseId('webhook', id) ?? [])
  const now = scope.clock.now().getTime()
  // The hours of `GET /v1/webhooks/:id/health`, so that both say the same figures.
  const since = new Date((Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS)
  const first = (Math.floor(now / BIN_MS) - BINS + 1) * BIN_MS
  const { principal } = scope
  const mayReadDeliveries = 'permissions' in principal && principal.permissions.has('integrations.manage')
  const { rows, failures, backlogs } = await scope.read(async (tx) => ({
    rows: await store.listSummaries(tx, ids, { since, first: new Date(first) }),
    failures: await store.listFailures(tx, ids),
    backlogs: mayReadDeliveries ? await store.listBacklogs(tx, ids) : [],
  }))
  const counts = Map.groupBy(rows, ({ webhook_id }) => webhook_id)
  const failureOf = new Map(failures.map((row) => [row.id, row]))
  const backlogOf = new Map(backlogs.map((row) => [row.webhook_id, row]))
  return (webhook) => {
    const id = parseId('webhook', webhook.id) as Id<'webhook'>
    const failure = failureOf.get(id)
    const backlog = backlogOf.get(id)
    const { last_failed_at: failedAt } = webhook
    return {
      state: stateOf(webhook, failure?.failing_since ?? null),
      ...figuresOf(counts.get(id) ?? [], first),
      waiting: mayReadDeliveries ? (backlog?.waiting ?? 0) : null,
      dead_lettered: mayReadDeliveries ? (backlog?.dead_lettered ?? 0) : null,
      failing_since: failure?.failing_since?.toISOString() ?? null,
      last_failure:
        mayReadDeliveries && failure && failedAt !== null
          ? { at: failedAt, status_code: failure.last_failure_status, error: failure.last_failure_error }
          : null,
    }
  }
}

function stateOf(webhook: Listed, failingSince: Date | null): Summary['state'] {
  if (!webhook.enabled) return 'disabled'
  if (failingSince !== null) return 'failing'
  return webhook.last_delivered_at === null && webhook.last_failed_at === null ? 'new' : 'ok'
}

function figuresOf(rows: store.SummaryRow[], first: number) {
  const bins = new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.at.getTime(), row] as const])))
  const classes = rows.flatMap((row) =>
    row.latency_class === null ? [] : [[row.latency_class, row.attempts] as const],
  )
  const attempts = [...bins.values()].reduce((sum, row) => sum + row.attempts, 0)
  const succeeded = [...bins.values()].reduce((sum, row) => sum + row.succeeded, 0)
  return {
    attempts,
    success_rate: attempts === 0 ? null : Math.round((succeeded / attempts) * 10_000) / 100,
    p95_latency_ms: percentile(classes, 0.95),
    by_6h: Array.from({ length: BINS }, (_, index) => {
      const at = first + index * BIN_MS
      const { attempts: all, succeeded: good } = bins.get(at) ?? { attempts: 0, succeeded: 0 }
      return { at: new Date(at).toISOString(), attempts: all, failed: all - good }
    }),
  }
}
