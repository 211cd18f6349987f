import type { TenantTx } from '../../../../platform/database/database.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import { type Scope, signalOf } from '../../../../platform/scope.ts'
import { stageEmailToHolders } from '../../../access/members/membership.service.ts'
import { auditedWebhook, disableWebhook } from '../registration/webhook-state.service.ts'

const REASONS = {
  gone: 'the endpoint answered 410 Gone',
  failing: 'every attempt of the last 5 days has failed',
}

type Reason = keyof typeof REASONS

/** A webhook was disabled because of its endpoint. */
export const DISABLED = signalOf<{ id: Id<'webhook'>; reason: Reason; at: Date }>('webhook.disabled')

/** Disables a webhook, and notifies the other webhooks and the people who manage integrations. */
export async function disableAndTell(
  scope: Scope,
  tx: TenantTx,
  webhook: { id: Id<'webhook'>; url: string },
  reason: Reason,
): Promise<void> {
  const now = scope.clock.now()
  if (!(await disableWebhook(tx, webhook.id, reason, now))) return
  const webhookId = formatId('webhook', webhook.id)
  auditedWebhook(scope, tx, 'disable', webhook.id, {
    before: { enabled: true, disabled_reason: null },
    after: { enabled: false, disabled_reason: reason },
  })
  scope.log.warn({ tenant: scope.tenantId, webhook: webhook.id, reason }, 'a webhook was disabled')
  await scope.signals.emit(DISABLED, scope, tx, { id: webhook.id, reason, at: now })
  await stageEmailToHolders(scope, tx, 'integrations.manage', {
    kind: 'webhook_disabled',
    subject: 'A webhook was disabled',
    text: letter(webhookId, new URL(webhook.url).host, REASONS[reason], scope.settings.baseUrl),
  })
}

function letter(webhookId: string, host: string, reason: string, baseUrl: string): string {
  return (
    `Earshot disabled the webhook ${webhookId} to ${host}, because ${reason}.\n\n` +
    'New events are kept and wait. When the endpoint works again, turn the webhook on. Earshot then delivers them.' +
    `\n\n${baseUrl}/app/webhooks/${webhookId}\n`
  )
}
