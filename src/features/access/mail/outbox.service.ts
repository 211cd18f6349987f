import { dueBy, listDueTenants, untilNoneIsDueInSlots } from '../../../platform/work/due-tenants.ts'
import type { TenantId } from '../../../platform/ids.ts'
import { claimDue, newLease } from '../../../platform/work/leases.ts'
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
/** Letters of attachments. A mail that is sent is in memory several times over. */
const LARGE = 200_000
// In all workspaces, because memory is everybody's.
const largeOnes = createFairLimit(4)
const LEFT = Symbol('left for its next lease')

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
  const { claimed, isProven } = await scope.tx(async (tx) => ({
    claimed: await claimDue<store.ClaimedEmail>(tx, store.JOBS, { now, lease, limit: BATCH }),
    isProven: await maySend(scope, tx),
  }))
  const open = createOpener(scope, (id) => scope.read((tx) => store.readContent(tx, id)))
  const until = new Date(now.getTime() + LEASE_MS / 2)
  await Promise.all(
    claimed.map(async (email) => {
      const isAllowed = isProven || email.kind === VERIFICATION_MAIL
      const error = isAllowed ? await attempt(system, email, { tenantId, open, until }) : 'unverified'
      if (error === LEFT) return
      const state = afterAttempt(email.attempts, error, scope.clock.now())
      await scope.tx((tx) => store.updateAttempted(tx, email, lease.token, state, scope.clock.now()))
      if (error)
        scope.log.warn(
          { mailId: email.id, kind: email.kind, attempts: state.attempts, status: state.status, error },
          'a mail was not sent',
        )
    }),
  )
  return claimed.length
}

/** Sends one mail. Null if the provider accepted it, else the error code, or `LEFT` if its turn came too late. */
async function attempt(
  system: SystemScope,
  email: store.ClaimedEmail,
  { tenantId, open, until }: { tenantId: TenantId; open: OpenEmail; until: Date },
): Promise<string | null | typeof LEFT> {
  try {
    const { to, language, action, about: _about, ...message } = await open(email)
    const address = await addressOf(system, to)
    if (!address) return 'recipient_gone'
    const { baseUrl } = system.settings
    const html = message.html ?? framedText(message.text, { title: message.subject, baseUrl, language, label: action })
    const send = () => system.ports.email.send({ ...message, html, to: address, idempotencyKey: `mail_${email.id}` })
    const letters = message.attachments?.reduce((sum, { base64 }) => sum + base64.length, 0) ?? 0
    if (letters < LARGE) await send()
    else if (!(await largeOnes.run(tenantId, () => before(system, until, send)))) return LEFT
    return null
  } catch (error) {
    return errorCode(error)
  }
}

/** Whether the time to send had not run out. A later send could meet that of another worker under a new lease. */
async function before({ clock }: SystemScope, until: Date, send: () => Promise<unknown>): Promise<boolean> {
  if (clock.now() >= until) return false
  await send()
  return true
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
