import { dueBy, listDueTenants, untilNoneIsDueInSlots } from '../../../platform/work/due-tenants.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { claimDue, holdLease, newLease } from '../../../platform/work/leases.ts'
import { createFairLimit } from '../../../platform/loop/fair-limit.ts'
import { framedText } from '../../../platform/look/mail-frame.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { findUser } from '../users/users.service.ts'
import { maySend } from '../workspaces/workspaces.service.ts'
import { createOpener, VERIFICATION_MAIL, type OpenEmail, type Recipient } from './mail.service.ts'
import * as store from './mail.store.ts'
import { nextAttemptAt, type RetryPlan } from '../../../platform/loop/retry.ts'

// Small, so that many mails of one workspace do not delay a single mail of another.
const BATCH = 10
// Each may hang for as long as an SMTP dialogue may take.
const WORKSPACES = 8
// Longer than any SMTP dialogue, because another worker may send the same mail after it.
const LEASE_MS = 300_000
/** Sealed. A mail that is sent is in memory several times over. */
const LARGE_BYTES = 300_000
// In all workspaces, because memory is everybody's. SMTP has more connections, so that a small mail finds one.
const largeOnes = createFairLimit(4)
/** A large mail whose turn comes later is given back, for a workspace's turn to end. */
const WAITS_MS = 10_000
const GIVEN_BACK = Symbol('due again')

/** Sends due mail until none is left or `limit` were tried. Returns the number tried. */
export function sendDueMail(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDueInSlots(
    options,
    { all: WORKSPACES, each: 1 },
    (after) => listDueTenants(system, dueBy('outgoing_emails', 'next_attempt_at', system.clock.now()), after),
    (tenantId) => sendMailOf(system, tenantId),
    (tried) => tried >= options.limit,
  )
}

/** Sends one batch of a workspace's due mail. Returns the number tried. */
export async function sendMailOf(system: SystemScope, tenantId: TenantId): Promise<number> {
  const scope = system.tenant(tenantId, { type: 'system' })
  const now = scope.clock.now()
  const lease = newLease(now, LEASE_MS)
  const { claimed, sizes, isProven } = await scope.tx(async (tx) => {
    const due = await claimDue<store.ClaimedEmail>(tx, store.JOBS, { now, lease, limit: BATCH })
    const contents = due.flatMap(({ content_id: id }) => id ?? [])
    return { claimed: due, sizes: await store.sizesOf(tx, [...new Set(contents)]), isProven: await maySend(scope, tx) }
  })
  const open = createOpener(scope, (id) => scope.read((tx) => store.readContent(tx, id)))
  const patience = now.getTime() + WAITS_MS
  const send = async (email: store.ClaimedEmail) => {
    if (!isProven && email.kind !== VERIFICATION_MAIL) return 'unverified'
    if (email.sealed.length + (sizes.get(email.content_id ?? '') ?? 0) < LARGE_BYTES)
      return attempt(system, email, open)
    return largeOnes.run(tenantId, async () => {
      if (scope.clock.now().getTime() >= patience) return GIVEN_BACK
      // An erasure may have ended it since the claim.
      if (!(await scope.tx((tx) => holdLease(tx, store.JOBS, email.id, lease)))) return GIVEN_BACK
      return attempt(system, email, open)
    })
  }
  await Promise.all(
    claimed.map(async (email) => {
      const error = await send(email)
      const at = scope.clock.now()
      const state =
        error === GIVEN_BACK
          ? { status: 'pending' as const, attempts: email.attempts, nextAttemptAt: at, lastError: null }
          : afterAttempt(email.attempts, error, at)
      await scope.tx((tx) => store.updateAttempted(tx, email, lease.token, state, at))
      if (typeof error === 'string')
        scope.log.warn(
          { mailId: email.id, kind: email.kind, attempts: state.attempts, status: state.status, error },
          'a mail was not sent',
        )
    }),
  )
  return claimed.length
}

/** Sends one mail. Null if the provider accepted it, else the error code. */
async function attempt(system: SystemScope, email: store.ClaimedEmail, open: OpenEmail): Promise<string | null> {
  try {
    const { to, language, action, about: _about, ...message } = await open(email)
    const address = await addressOf(system, to)
    if (!address) return 'recipient_gone'
    const { baseUrl } = system.settings
    const html = message.html ?? framedText(message.text, { title: message.subject, baseUrl, language, label: action })
    await system.ports.email.send({ ...message, html, to: address, idempotencyKey: `mail_${email.id}` })
    return null
  } catch (error) {
    return errorCode(error)
  }
}

async function addressOf(system: SystemScope, to: Recipient): Promise<string | undefined> {
  return typeof to === 'string' ? to : (await findUser(system, to.userId))?.email
}

const PLAN: RetryPlan = { waitsSeconds: [30, 120, 600, 3600], longestSeconds: 3600 }

type Next = {
  status: 'sent' | 'failed' | 'pending'
  attempts: number
  nextAttemptAt: Date | null
  lastError: string | null
}

/** The state of a mail after one more attempt: sent, due again later, or given up after the fifth failure. */
export function afterAttempt(attempts: number, error: string | null, now: Date): Next {
  const counted = attempts + 1
  if (error === null) return { status: 'sent', attempts: counted, nextAttemptAt: null, lastError: null }
  const at = nextAttemptAt(PLAN, counted, now)
  return { status: at ? 'pending' : 'failed', attempts: counted, nextAttemptAt: at, lastError: error }
}

/** A code such as `EENVELOPE`. Never the message, in which providers quote the recipient. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code.slice(0, 60) : error.name.slice(0, 60)
}
