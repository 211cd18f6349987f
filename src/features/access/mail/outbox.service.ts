import { listDueTenants, untilNoneIsDueInSlots, type Places } from '../../../platform/work/due-tenants.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { holdLease, LeaseLost, newLease, type Lease } from '../../../platform/work/leases.ts'
import { createFairLimit } from '../../../platform/loop/fair-limit.ts'
import { framedText } from '../../../platform/look/mail-frame.ts'
import type { Scope, SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { findUser } from '../users/users.service.ts'
import { maySend } from '../workspaces/workspaces.service.ts'
import { createOpener, VERIFICATION_MAIL, type Recipient } from './mail.service.ts'
import * as store from './mail.store.ts'
import { nextAttemptAt, secondsAfter, type RetryPlan } from '../../../platform/loop/retry.ts'
import { ProviderError } from '../../../platform/ports/provider.ts'

// Longer than any SMTP dialogue, because another worker may send the same mail after it.
const LEASE_MS = 300_000
/** Mails at once, of all workspaces, which take turns. SMTP has as many connections, and memory is everybody's. */
const AT_ONCE = { small: 8, large: 4 }
const places = { small: createFairLimit(AT_ONCE.small), large: createFairLimit(AT_ONCE.large) }
/** Mails of one workspace that wait for a place or have one. */
const OF_ONE = { small: 4, large: 1 }

/** Sends due mail, large ones aside, until none is left or `limit` were tried. Returns the number tried. */
export function sendDueMail(system: SystemScope, options: SweepOptions): Promise<number> {
  return sendDue(system, options, 'small', { all: AT_ONCE.small, each: 1 })
}

/** The same for large mail. */
export function sendDueLargeMail(system: SystemScope, options: SweepOptions): Promise<number> {
  return sendDue(system, options, 'large', { all: AT_ONCE.large, each: AT_ONCE.large })
}

function sendDue(system: SystemScope, options: SweepOptions, weight: store.Weight, slots: Places): Promise<number> {
  return untilNoneIsDueInSlots(
    options,
    slots,
    (after) => listDueTenants(system, store.dueMail(weight, system.clock.now()), after),
    (tenantId) => sendOf(system, tenantId, weight),
    (tried) => tried >= options.limit,
  )
}

/** Sends a few of a workspace's due mails, large ones aside. Returns the number tried. */
export function sendMailOf(system: SystemScope, tenantId: TenantId): Promise<number> {
  return sendOf(system, tenantId, 'small')
}

/** Sends one large mail of a workspace. Returns the number tried. */
export function sendLargeMailOf(system: SystemScope, tenantId: TenantId): Promise<number> {
  return sendOf(system, tenantId, 'large')
}

/** A mail is claimed when it has its place, so a mail that waits keeps its turn and can be erased. */
async function sendOf(system: SystemScope, tenantId: TenantId, weight: store.Weight): Promise<number> {
  const sendOne = () => places[weight].run(tenantId, () => sendNext(system, tenantId, weight))
  const tried = await Promise.all(Array.from({ length: OF_ONE[weight] }, sendOne))
  return tried.filter(Boolean).length
}

/** Returns whether there was one. */
async function sendNext(system: SystemScope, tenantId: TenantId, weight: store.Weight): Promise<boolean> {
  const scope = system.tenant(tenantId, { type: 'system' })
  const now = scope.clock.now()
  const lease = newLease(now, LEASE_MS)
  const { email, isProven } = await scope.tx(async (tx) => ({
    email: await store.claimMail(tx, weight, { now, lease }),
    isProven: await maySend(scope, tx),
  }))
  if (!email) return false
  const isLeft = !isProven && email.kind !== VERIFICATION_MAIL
  await record(scope, email, lease, isLeft ? { code: 'unverified' } : await attempt(scope, email, lease))
  return true
}

/** A mail whose outcome cannot be recorded is sent again after its lease. */
async function record(scope: Scope, email: store.ClaimedEmail, lease: Lease, failure: Failure | null): Promise<void> {
  const at = scope.clock.now()
  const state = afterAttempt(email.attempts, failure, at)
  const mail = { mailId: email.id, kind: email.kind, attempts: state.attempts, status: state.status }
  try {
    await scope.tx((tx) => store.updateAttempted(tx, email, lease.token, state, at))
    if (failure) scope.log.warn({ ...mail, error: failure.code }, 'a mail was not sent')
  } catch (err) {
    scope.log.error({ ...mail, err }, 'the outcome of a mail could not be recorded; it is sent again')
  }
}

/** Sends one mail. Null if the provider accepted it. */
async function attempt(scope: Scope, email: store.ClaimedEmail, lease: Lease): Promise<Failure | null> {
  // An erasure ends a mail that waits for a connection.
  const check = async () => {
    if (!(await scope.tx((tx) => holdLease(tx, store.JOBS, email.id, lease)))) throw new LeaseLost()
  }
  const open = createOpener(scope, (id) => scope.read((tx) => store.readContent(tx, id)))
  try {
    const { to, language, action, about: _about, ...message } = await open(email)
    const address = await addressOf(scope, to)
    if (!address) return { code: 'recipient_gone' }
    const { baseUrl } = scope.settings
    const html = message.html ?? framedText(message.text, { title: message.subject, baseUrl, language, label: action })
    await scope.ports.email.send({ ...message, html, to: address, idempotencyKey: `mail_${email.id}` }, check)
    return null
  } catch (error) {
    const isThrottled = error instanceof ProviderError && error.verdict === 'throttled'
    return { code: errorCode(error), ...(isThrottled && { waitSeconds: error.retryAfter ?? THROTTLED_SECONDS }) }
  }
}

async function addressOf(scope: Scope, to: Recipient): Promise<string | undefined> {
  return typeof to === 'string' ? to : (await findUser(scope, to.userId))?.email
}

interface Failure {
  code: string
  /** The provider takes no mail right now. */
  waitSeconds?: number
}

const THROTTLED_SECONDS = 10
const PLAN: RetryPlan = { waitsSeconds: [30, 120, 600, 3600], longestSeconds: 3600 }

type Next = {
  status: 'sent' | 'failed' | 'pending'
  attempts: number
  nextAttemptAt: Date | null
  lastError: string | null
}

/**
 * The state of a mail after one more attempt: sent, due again later, or given up after the fifth failure. A
 * provider that takes no mail right now is no failure of this one.
 */
export function afterAttempt(attempts: number, failure: Failure | null, now: Date): Next {
  const counted = attempts + 1
  if (failure === null) return { status: 'sent', attempts: counted, nextAttemptAt: null, lastError: null }
  const { code, waitSeconds } = failure
  if (waitSeconds !== undefined) {
    const seconds = Math.min(PLAN.longestSeconds, Math.max(waitSeconds, 1))
    return { status: 'pending', attempts, nextAttemptAt: secondsAfter(now, seconds), lastError: code }
  }
  const at = nextAttemptAt(PLAN, counted, now)
  return { status: at ? 'pending' : 'failed', attempts: counted, nextAttemptAt: at, lastError: code }
}

/** A code such as `EENVELOPE`. Never the message, in which providers quote the recipient. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code.slice(0, 60) : error.name.slice(0, 60)
}
