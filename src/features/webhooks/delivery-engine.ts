import { DatabaseUnavailableError } from '../../platform/database.ts'
import type { Engine, Runtime } from '../../platform/feature.ts'
import type { Id, TenantId } from '../../platform/ids.ts'
import type { Wake } from '../../platform/ports.ts'
import type { Scope } from '../../platform/scope.ts'
import { attempt, claimDeliveries, recordAttempts, releaseClaims, type Attempted, type Claimed } from './attempts.service.ts'
import { createDeliveryMetrics } from './delivery-metrics.ts'
import { listDueEndpoints } from './deliveries.store.ts'
import { createSlots, type Endpoint, type Slots } from './delivery-slots.ts'

// A tenant's share of one claim; the next tenant's turn comes before its next one.
const CLAIM_AT_MOST = 100
const CLAIMS_AT_ONCE = 4
const RECORD_AT_MOST = 200
// Something due that nobody could claim is leased to a worker that may have died: look again soon.
const LEASED_RECHECK_MS = 5_000
const RECORD_RETRY_MS = 500
// A row that the database refuses this often on its own is left to its lease.
const RECORD_TRIES = 5

export interface DeliveryEngine extends Engine {
  /** Looks for everything that is due now. */
  sweep(): Promise<void>
  /** Resolves when nothing is claimed, in flight or unrecorded. */
  idle(): Promise<void>
}

/**
 * Claims due deliveries, posts them and records what came of it. Wakes bring the rows of a dispatch,
 * and only these are attempted then; the sweep brings the rest when it is due.
 */
export function createDeliveryEngine(runtime: Runtime): DeliveryEngine {
  const { clock, log, settings } = runtime
  const metrics = createDeliveryMetrics(runtime.metrics)
  const slots: Slots = createSlots()
  const results = new Map<TenantId, Attempted[]>()
  const recording = new Set<TenantId>()
  const waiters: Array<() => void> = []
  let claims = 0
  let sweeping: Promise<void> | null = null
  let again = false
  let stopping = false
  let started = false
  let timer: NodeJS.Timeout | undefined

  function wake({ tenantId, group, ids }: Wake): void {
    if (stopping) return
    // A replay runs the tenant's whole pending set; a dispatch names its rows.
    if (ids.length === 0) return void sweep().catch(logged)
    slots.addWoken(tenantId, group as Id<'webhook'>, ids)
    pump()
  }

  function sweep(): Promise<void> {
    // What became due while a look was under way needs another one.
    if (sweeping) again = true
    sweeping ??= lookForDue().finally(() => {
      sweeping = null
      setImmediate(settleIdle)
      if (again && !stopping) void sweep().catch(retrySweep)
      again = false
    })
    return sweeping
  }

  async function lookForDue(): Promise<void> {
    const now = clock.now()
    const endpoints = await runtime.run((system) => system.tx(listDueEndpoints))
    if (stopping) return
    let earliest = now.getTime() + settings.webhooks.sweepSeconds * 1000
    for (const endpoint of endpoints) {
      if (endpoint.next_attempt_at <= now) {
        slots.markDue(endpoint.tenant_id, endpoint.webhook_id)
        earliest = Math.min(earliest, now.getTime() + LEASED_RECHECK_MS)
      } else {
        earliest = Math.min(earliest, endpoint.next_attempt_at.getTime())
      }
    }
    metrics.sweeps.inc()
    pump()
    plan(earliest - clock.now().getTime())
  }

  function plan(delayMs: number): void {
    clearTimeout(timer)
    if (stopping || !started) return
    timer = setTimeout(() => void sweep().catch(retrySweep), Math.max(50, delayMs))
  }

  function retrySweep(error: unknown): void {
    logged(error)
    plan(LEASED_RECHECK_MS)
  }

  function pump(): void {
    while (!stopping && claims < CLAIMS_AT_ONCE) {
      const turn = slots.nextTurn(CLAIM_AT_MOST)
      if (!turn) break
      claims += 1
      void claimAndSend(turn.tenantId, turn.endpoints, turn.ids).finally(() => {
        claims -= 1
        pump()
        settleIdle()
      })
    }
  }

  async function claimAndSend(tenantId: TenantId, endpoints: Array<{ endpoint: Endpoint; limit: number }>, ids: string[] | null): Promise<void> {
    const requests = endpoints.map(({ endpoint, limit }) => ({ webhookId: endpoint.webhookId, limit }))
    const stopTimer = metrics.claimSeconds.startTimer()
    let rows: Claimed[] = []
    try {
      rows = await asTenant(tenantId, (scope) => claimDeliveries(scope, requests, ids))
    } catch (error) {
      logged(error)
      // Nothing is lost: the rows are as they were, and the next sweep finds them.
      plan(LEASED_RECHECK_MS)
    } finally {
      stopTimer()
      slots.endClaim(
        endpoints,
        rows.map((row) => row.webhook_id),
        ids,
      )
    }
    if (stopping && rows.length > 0) return asTenant(tenantId, (scope) => releaseClaims(scope, rows)).catch(logged)
    for (const row of rows) void send(tenantId, row)
  }

  async function send(tenantId: TenantId, row: Claimed): Promise<void> {
    const slot = slots.open(tenantId, row.webhook_id, pump)
    try {
      const attempted = await asTenant(tenantId, (scope) => attempt(scope, row, Math.random()))
      slot.close(attempted.timedOut)
      metrics.attempt(attempted.outcome)
      const waiting = results.get(tenantId)
      if (waiting) waiting.push(attempted)
      else results.set(tenantId, [attempted])
      void record(tenantId)
    } catch (error) {
      // Not an attempt: the row is claimed again once its lease has run out.
      slot.close(false)
      logged(error)
    }
    pump()
    settleIdle()
  }

  // One transaction at a time for each tenant: what ends meanwhile goes into the next one together.
  async function record(tenantId: TenantId): Promise<void> {
    if (recording.has(tenantId)) return
    recording.add(tenantId)
    await new Promise((resume) => setImmediate(resume))
    let size = RECORD_AT_MOST
    let tries = 0
    for (let waiting = results.get(tenantId); waiting && waiting.length > 0; waiting = results.get(tenantId)) {
      const batch = waiting.splice(0, size)
      try {
        const stopTimer = metrics.recordSeconds.startTimer()
        await asTenant(tenantId, (scope) => recordAttempts(scope, batch))
        stopTimer()
        size = RECORD_AT_MOST
        tries = 0
        noteRetries(batch)
      } catch (error) {
        logged(error)
        // One row that cannot be written must not hold up the others: each goes alone then.
        const given = batch.length === 1 && !(error instanceof DatabaseUnavailableError) && (tries += 1) >= RECORD_TRIES
        if (given) tries = 0
        else results.get(tenantId)?.unshift(...batch)
        size = 1
        await new Promise((resume) => setTimeout(resume, RECORD_RETRY_MS))
      }
    }
    results.delete(tenantId)
    recording.delete(tenantId)
    settleIdle()
  }

  // A retry that is due before the next sweep brings that sweep forward.
  function noteRetries(batch: Attempted[]): void {
    const times = batch.flatMap(({ settled }) => (settled.nextAttemptAt ? [settled.nextAttemptAt.getTime()] : []))
    if (times.length === 0) return
    const delay = Math.min(...times) - clock.now().getTime()
    if (delay < settings.webhooks.sweepSeconds * 1000) setTimeout(() => void (stopping || sweep().catch(logged)), Math.max(0, delay)).unref()
  }

  function asTenant<T>(tenantId: TenantId, work: (scope: Scope) => Promise<T>): Promise<T> {
    return runtime.run((system) => work(system.tenant(tenantId, { type: 'system' })))
  }

  function busy(): boolean {
    return claims > 0 || slots.active() > 0 || recording.size > 0 || sweeping !== null || (!stopping && slots.hasTurn())
  }

  function settleIdle(): void {
    if (!busy()) for (const resolve of waiters.splice(0)) resolve()
  }

  function logged(err: unknown): void {
    log.warn({ err }, 'a step of the delivery engine failed; it is tried again')
  }

  const idle = async () => {
    await sweeping
    if (busy()) await new Promise<void>((resolve) => waiters.push(resolve))
  }
  return {
    wake,
    sweep,
    idle,
    start() {
      started = true
      void sweep().catch(retrySweep)
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      slots.forget()
      await idle()
    },
  }
}
