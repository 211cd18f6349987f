import { DatabaseUnavailableError } from '../../../../platform/database.ts'
import type { Engine, Runtime } from '../../../../platform/feature.ts'
import type { Id, TenantId } from '../../../../platform/ids.ts'
import type { Wake } from '../../../../platform/ports.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { createAttemptRecorder } from './recorder.ts'
import { attempt, claimDeliveries, recordAttempts, releaseClaims, type Attempted, type AttemptTools, type Claimed } from './attempts.service.ts'
import { createDeliveryMetrics } from './metrics.ts'
import { listDueEndpoints } from '../staging/queue.store.ts'
import { createSlots, type Held, type Slots, type Turn } from './fairness.ts'
import type { FreshSender, FreshSlot } from '../staging/fresh-rows.service.ts'
import { createBodies, createKeyring } from './attempt-caches.ts'

// A tenant's share of one claim; the next tenant's turn comes before its next one.
const CLAIM_AT_MOST = 100
const CLAIMS_AT_ONCE = 8
// Something due that nobody could claim is leased to a worker that may have died: look again soon.
const LEASED_RECHECK_MS = 5_000

export interface DeliveryEngine extends Engine, FreshSender {
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
  const tools: AttemptTools = { keyring: createKeyring(), bodies: createBodies() }
  const recorder = createAttemptRecorder<Attempted>({
    write: (tenantId, batch) => asTenant(tenantId, (scope) => recordAttempts(scope, batch)),
    isAway: (error) => error instanceof DatabaseUnavailableError,
    onRecorded(batch, seconds) {
      metrics.recordSeconds.observe(seconds)
      noteRetries(batch)
    },
    onError: logged,
    onSettled: settleIdle,
  })
  const waiters: Array<() => void> = []
  let claims = 0
  let sweeping: Promise<void> | null = null
  let again = false
  let pumping = false
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

  // Awaited by nobody but `idle`: its transaction has committed.
  function hold(tenantId: TenantId, webhookId: Id<'webhook'>): FreshSlot | null {
    const held = stopping ? null : slots.hold(tenantId, webhookId, pump)
    return (
      held && {
        send: (row, leaseToken) => void asTenant(tenantId, (scope) => send(scope, { ...row, leaseToken }, held)).then(settleIdle, logged),
        cancel() {
          held.cancel()
          pumpSoon()
        },
      }
    )
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
      void claimAndSend(turn)
    }
  }

  // Answers that come in one turn of the event loop make room together.
  function pumpSoon(): void {
    if (pumping) return
    pumping = true
    setImmediate(() => {
      pumping = false
      pump()
      settleIdle()
    })
  }

  async function claimAndSend({ tenantId, endpoints, ids }: Turn): Promise<void> {
    const requests = endpoints.map(({ endpoint, limit }) => ({ webhookId: endpoint.webhookId, limit }))
    const stopTimer = metrics.claimSeconds.startTimer()
    let ended = false
    const endClaim = (rows: Claimed[]) => {
      if (ended) return
      ended = true
      claims -= 1
      slots.endClaim(endpoints, ids, new Set(rows.filter((row) => row.more).map((row) => row.webhook_id)))
    }
    try {
      await asTenant(tenantId, async (scope) => {
        const rows = await claimDeliveries(scope, requests, ids)
        stopTimer()
        if (stopping) await releaseClaims(scope, rows)
        endClaim(rows)
        if (stopping) return
        const sent = rows.map((row) => send(scope, row))
        pump()
        settleIdle()
        await Promise.all(sent)
      })
    } catch (error) {
      logged(error)
      endClaim([])
      // Nothing is lost: the rows are as they were, or leased, and the next sweep finds them.
      plan(LEASED_RECHECK_MS)
      pump()
    }
    settleIdle()
  }

  async function send(scope: Scope, row: Claimed, held?: Held): Promise<void> {
    const slot = held ? held.open() : slots.open(scope.tenantId, row.webhook_id, pump)
    try {
      const attempted = await attempt(scope, row, tools, Math.random())
      slot.close(attempted.ending)
      metrics.attempt(attempted.outcome, attempted.deadLettered)
      recorder.add(scope.tenantId, attempted)
    } catch (error) {
      // Not an attempt: the row is claimed again once its lease has run out.
      slot.close('failed')
      logged(error)
    }
    pumpSoon()
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
    return claims > 0 || pumping || slots.outstanding() > 0 || recorder.busy() || sweeping !== null || (!stopping && slots.hasTurn())
  }

  function settleIdle(): void {
    if (!busy()) for (const resolve of waiters.splice(0)) resolve()
  }

  function logged(err: unknown): void {
    log.warn({ err }, 'a step of the delivery engine failed; it is tried again')
  }

  const idle = async () => {
    // Whoever began the sweep reports its error.
    await sweeping?.catch(() => {})
    if (busy()) await new Promise<void>((resolve) => waiters.push(resolve))
  }
  return {
    wake,
    hold,
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
