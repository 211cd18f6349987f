import { acrossTenants } from '../../../../platform/work/across-tenants.ts'
import { DatabaseUnavailableError } from '../../../../platform/database/database-adapter.ts'
import type { Engine, Runtime } from '../../../../platform/feature.ts'
import type { Id, TenantId } from '../../../../platform/ids.ts'
import type { Wake } from '../../../../platform/ports/ports.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { handOver } from '../test-receivers/hand-over.service.ts'
import type { FreshSender, FreshSlot, LeasedDelivery } from '../staging/fresh-sender.ts'
import { tracedAttempt, type Attempted, type AttemptTools } from './attempt.ts'
import { createBodies } from './body.ts'
import { claimDeliveries, releaseClaims, type ClaimedDelivery } from './claim.service.ts'
import { listDueEndpoints } from './claim.store.ts'
import { DueSweep } from './due-sweep.ts'
import type { HeldSlot } from './fairness-slot.ts'
import type { Turn } from './fairness-turns.ts'
import { Fairness } from './fairness.ts'
import { createHealthTally } from './health-tally.ts'
import { recordHealth } from './health.service.ts'
import { createKeyring } from './keyring.ts'
import { createDeliveryMetrics } from './metrics.ts'
import { recordAttempts } from './record.service.ts'
import { createRecorder } from './recorder.ts'

// A tenant's share of one claim; the next tenant's turn comes before its next one.
const CLAIM_AT_MOST = 100
const CLAIMS_AT_ONCE = 8
// Something due that nobody could claim is leased to a worker that may have died: look again soon.
const LEASED_RECHECK_MS = 5_000

/**
 *     made ──start──▶ running ──stop──▶ stopping
 *
 * An engine that was made works when a wake or a call asks it to. A running one also plans its own sweeps. A stopping
 * one begins nothing, and gives back the rows of a claim that comes too late.
 */
type Mode = 'made' | 'running' | 'stopping'

export interface DeliveryEngine extends Engine, FreshSender {
  /** Looks for everything that is due now. */
  sweep(): Promise<void>
  /** Resolves when nothing is claimed, in flight or unrecorded. */
  idle(): Promise<void>
}

/**
 * Sends deliveries. The way of a row through this process:
 *
 *     wake or sweep ──▶ its tenant's turn ──▶ claim ──▶ attempt ──▶ recorder ──▶ record
 *     staged here, with a slot held ──────────────────▶ attempt
 *
 * A wake names rows of one event, and only these are claimed for it. The sweep brings all others when they are due.
 */
export function createDeliveryEngine(runtime: Runtime): DeliveryEngine {
  const { clock, log, settings } = runtime
  const sweepMs = settings.webhooks.sweepSeconds * 1000
  const metrics = createDeliveryMetrics(runtime.metrics)
  const tools: AttemptTools = { keyring: createKeyring(), bodies: createBodies(), handOver }
  const fairness = new Fairness()
  let claiming: Turn[] = []
  const dueSweep = new DueSweep(lookForDue, settleIdle)
  const recorder = createRecorder<Attempted>({
    async write(tenantId, batch) {
      await asTenant(tenantId, (scope) => recordAttempts(scope, batch))
      health.add(tenantId, batch)
    },
    isAway: (error) => error instanceof DatabaseUnavailableError,
    onRecorded(batch, seconds) {
      metrics.recordSeconds.observe(seconds)
      planRetries(batch)
    },
    onError: logged,
    onSettled: settleIdle,
  })
  const health = createHealthTally({
    write: (tenantId, counts) => asTenant(tenantId, (scope) => recordHealth(scope, counts)),
    onError: logged,
  })
  const waitingForIdle: Array<() => void> = []
  let mode: Mode = 'made'
  let nextPump: NodeJS.Immediate | undefined

  return {
    start() {
      mode = 'running'
      void dueSweep.now()
    },
    wake({ tenantId, group, ids }: Wake) {
      if (mode === 'stopping') return
      // A wake without rows asks for all that is due.
      if (ids.length === 0) return void dueSweep.now()
      fairness.addWoken(tenantId, group as Id<'webhook'>, ids)
      pump()
    },
    hold,
    sweep: () => dueSweep.now(),
    idle,
    async stop() {
      mode = 'stopping'
      dueSweep.stop()
      fairness.forget()
      await idle()
    },
  }

  function hold(tenantId: TenantId, webhookId: Id<'webhook'>): FreshSlot | null {
    const slot = mode === 'stopping' ? null : fairness.hold(tenantId, webhookId, pump)
    if (!slot) return null
    return {
      // Only `idle` waits for it: the transaction that staged the row has committed.
      send: (row) => void asTenant(tenantId, (scope) => send(scope, row, slot)).then(settleIdle, logged),
      cancel() {
        slot.cancel()
        pumpSoon()
      },
    }
  }

  async function lookForDue(): Promise<void> {
    if (mode === 'stopping') return
    try {
      const now = clock.now()
      const endpoints = await runtime.run((system) => acrossTenants(system, listDueEndpoints))
      let nextAt = now.getTime() + sweepMs
      for (const { tenant_id, webhook_id, next_attempt_at } of endpoints) {
        const isDue = next_attempt_at <= now
        if (isDue) fairness.markDue(tenant_id, webhook_id)
        nextAt = Math.min(nextAt, isDue ? now.getTime() + LEASED_RECHECK_MS : next_attempt_at.getTime())
      }
      metrics.sweeps.inc()
      pump()
      planSweep(nextAt - clock.now().getTime())
    } catch (error) {
      logged(error)
      planSweep(LEASED_RECHECK_MS)
    }
  }

  function planSweep(delayMs: number): void {
    if (mode === 'running') dueSweep.within(delayMs)
  }

  // A retry that is due before the next sweep brings that sweep forward.
  function planRetries(batch: Attempted[]): void {
    const times = batch.flatMap(({ settled }) => (settled.nextAttemptAt ? [settled.nextAttemptAt.getTime()] : []))
    if (times.length === 0) return
    const delayMs = Math.min(...times) - clock.now().getTime()
    if (delayMs < sweepMs) dueSweep.within(delayMs)
  }

  function pump(): void {
    while (mode !== 'stopping' && claiming.length < CLAIMS_AT_ONCE) {
      const turn = fairness.nextTurn(CLAIM_AT_MOST)
      if (!turn) break
      claiming.push(turn)
      void claimAndSend(turn)
    }
  }

  // Answers that come in one turn of the event loop make room together.
  function pumpSoon(): void {
    nextPump ??= setImmediate(() => {
      nextPump = undefined
      pump()
      settleIdle()
    })
  }

  async function claimAndSend(turn: Turn): Promise<void> {
    try {
      await asTenant(turn.tenantId, async (scope) => {
        const rows = await claim(scope, turn)
        const sent = rows.map((row) => send(scope, row))
        pump()
        settleIdle()
        await Promise.all(sent)
      })
    } catch (error) {
      logged(error)
      endClaim(turn, [])
      // Nothing is lost: the rows are as they were, or leased, and the next sweep finds them.
      planSweep(LEASED_RECHECK_MS)
      pump()
    }
    settleIdle()
  }

  async function claim(scope: Scope, turn: Turn): Promise<ClaimedDelivery[]> {
    const requests = turn.endpoints.map(({ endpoint, limit }) => ({ webhookId: endpoint.webhookId, limit }))
    const stopTimer = metrics.claimSeconds.startTimer()
    const rows = await claimDeliveries(scope, requests, turn.ids)
    stopTimer()
    const isTooLate = mode === 'stopping'
    if (isTooLate) await releaseClaims(scope, rows)
    endClaim(turn, rows)
    return isTooLate ? [] : rows
  }

  function endClaim(turn: Turn, rows: ClaimedDelivery[]): void {
    if (!claiming.includes(turn)) return
    claiming = claiming.filter((other) => other !== turn)
    fairness.endTurn(turn, new Set(rows.filter((row) => row.more).map((row) => row.webhook_id)))
  }

  async function send(scope: Scope, row: LeasedDelivery, held?: HeldSlot): Promise<void> {
    const slot = held ? held.open() : fairness.open(scope.tenantId, row.webhook_id, pump)
    try {
      const attempted = await tracedAttempt(scope, row, tools, Math.random())
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

  function asTenant<T>(tenantId: TenantId, work: (scope: Scope) => Promise<T>): Promise<T> {
    return runtime.run((system) => work(system.tenant(tenantId, { type: 'system' })))
  }

  async function idle(): Promise<void> {
    if (isBusy()) await new Promise<void>((resolve) => waitingForIdle.push(resolve))
    await health.flush()
  }

  function settleIdle(): void {
    if (!isBusy()) for (const resolve of waitingForIdle.splice(0)) resolve()
  }

  function isBusy(): boolean {
    const isSending = claiming.length > 0 || fairness.outstanding() > 0 || nextPump !== undefined
    const mayClaim = mode !== 'stopping' && fairness.hasTurn()
    return isSending || mayClaim || recorder.busy() || !dueSweep.isResting
  }

  function logged(err: unknown): void {
    log.warn({ err }, 'a step of the delivery engine failed; it is tried again')
  }
}
