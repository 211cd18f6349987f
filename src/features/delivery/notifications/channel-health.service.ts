import type { ChatOutcome } from '../../../platform/ports/chat-port.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import { nextAttemptAt, secondsAfter, type RetryPlan } from '../../../platform/loop/retry.ts'
import type { Scope } from '../../../platform/scope.ts'
import { stageEmail } from '../../access/mail/mail.service.ts'
import { auditedSubscription, maskedTarget } from './subscription.ts'
import { failUnsent } from './notifications.store.ts'
import * as store from './subscriptions.store.ts'

const PLAN: RetryPlan = { waitsSeconds: [30, 300, 1_800, 7_200], longestSeconds: 7_200, jitter: 0.2 }
const FAILING_DAYS = 5
// Slack takes a message a second. The events of a busy second make one message.
const PACE_SECONDS = 1

const REASONS = {
  gone: 'its address takes no messages any more',
  failing: `every message of the last ${FAILING_DAYS} days has failed`,
}

/** When a message is tried again. Null gives it up. */
export function retryAt(outcome: ChatOutcome, failures: number, now: Date): Date | null {
  if (outcome.state !== 'failed') return null
  return nextAttemptAt(PLAN, failures, now, { retryAfter: outcome.retryAfter, random: Math.random() })
}

/** Notes how a channel answered. One that is gone, or that only fails for 5 days, is disabled. */
export async function noteOutcome(
  scope: Scope,
  tx: TenantTx,
  subscription: store.SubscriptionRow,
  outcome: ChatOutcome,
): Promise<void> {
  const { id, failing_since: since } = subscription
  const now = scope.clock.now()
  if (outcome.state === 'taken') {
    await store.updateHealth(tx, id, { failingSince: null, blockedUntil: secondsAfter(now, PACE_SECONDS) })
    return
  }
  scope.log.warn(
    { tenant: scope.tenantId, subscription: id, channel: subscription.channel, error: outcome.code },
    'a notification was not taken',
  )
  const failingSince = since ?? now
  const isFailing = now.getTime() - failingSince.getTime() >= FAILING_DAYS * 86_400_000
  const { retryAfter } = outcome
  const blockedUntil = retryAfter === null ? null : secondsAfter(now, Math.min(retryAfter, PLAN.longestSeconds))
  await store.updateHealth(tx, id, { failingSince, blockedUntil })
  if (outcome.state === 'gone' || isFailing)
    await disable(scope, tx, subscription, outcome.state === 'gone' ? 'gone' : 'failing')
}

async function disable(
  scope: Scope,
  tx: TenantTx,
  { id, user_id: userId, channel, target_host: host }: store.SubscriptionRow,
  reason: keyof typeof REASONS,
): Promise<void> {
  if ((await store.disableSubscription(tx, id, reason)) === 0) return
  await failUnsent(tx, id, scope.clock.now())
  auditedSubscription(scope, tx, 'disable', id, {
    before: { enabled: true, disabled_reason: null },
    after: { enabled: false, disabled_reason: reason },
  })
  await stageEmail(scope, tx, {
    kind: 'notification_channel_disabled',
    to: { userId },
    subject: 'Earshot: a notification channel was disabled',
    text:
      `Earshot disabled your subscription ${formatId('notificationSubscription', id)} to ${channel} ` +
      `(${maskedTarget(host ?? '')}), because ${REASONS[reason]}.\n\n` +
      'If the channel works again, turn the subscription on. If it has a new URL, subscribe again.\n\n' +
      `${scope.settings.baseUrl}/app/settings/notifications\n`,
  })
}
