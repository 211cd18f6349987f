import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import * as unfinished from './unfinished.store.ts'
import * as store from './webhooks.store.ts'
import { auditOf } from '../../../../platform/audit.ts'
import { Webhook } from './webhooks.schema.ts'

// Other features run these statements as they are.
export { findWebhook, hasChangedWebhooks } from './webhooks.store.ts'

export const auditedWebhook = auditOf('webhook', { schema: Webhook })

// The other rooms read, lock and change webhooks by these. Everywhere, webhooks are locked before their deliveries,
// and in the order of their ids, so that nobody waits in a circle.

/** The addresses of these webhooks. */
export async function webhookUrls(tx: ReadTx, ids: Id<'webhook'>[]): Promise<Map<string, string>> {
  return new Map((await store.listUrls(tx, ids)).map(({ id, url }) => [id, url]))
}

/** Keeps a webhook from being changed or deleted. False when there is none. */
export async function lockWebhook(tx: TenantTx, id: Id<'webhook'>): Promise<boolean> {
  return (await store.lockWebhook(tx, id)) !== undefined
}

export async function lockWebhooks(tx: TenantTx, ids: Iterable<Id<'webhook'>>): Promise<void> {
  await store.lockWebhooks(tx, [...new Set(ids)])
}

/** The disabled among some webhooks, locked: enabling one waits until the caller's rows are visible. */
export async function lockDisabled(tx: TenantTx, ids: Iterable<Id<'webhook'>>): Promise<Set<Id<'webhook'>>> {
  return new Set((await store.lockDisabled(tx, [...new Set(ids)])).map((row) => row.id))
}

/** Lets the deliveries of the disabled among some webhooks wait. */
export async function parkDisabled(tx: TenantTx, ids: Iterable<Id<'webhook'>>): Promise<void> {
  for (const id of await lockDisabled(tx, ids)) await unfinished.parkUnfinished(tx, id)
}

/** Fails the deliveries that outlived their webhook. */
export async function failOrphans(scope: Scope, id: Id<'webhook'>): Promise<void> {
  await scope.tx((tx) => unfinished.failUnfinished(tx, id, 'webhook_deleted'))
}

/** Disables an enabled webhook. False when somebody else already had. */
export async function disableWebhook(tx: TenantTx, id: Id<'webhook'>, reason: string, now: Date): Promise<boolean> {
  return (await store.disableWebhook(tx, id, reason, now)) > 0
}

/** Disables the webhooks that lead to an address, and lets their deliveries wait. Nobody is notified. */
export async function stopWebhooksTo(scope: Scope, tx: TenantTx, url: string, reason: string): Promise<void> {
  for (const { id } of await store.lockEnabledTo(tx, url)) {
    await store.disableWebhook(tx, id, reason, scope.clock.now())
    await unfinished.parkUnfinished(tx, id)
    auditedWebhook(scope, tx, 'disable', id, {
      before: { enabled: true, disabled_reason: null },
      after: { enabled: false, disabled_reason: reason },
    })
  }
}

/**
 * Makes the next completed response read its listeners again. Webhooks do it themselves. A feature that listens calls
 * it when its own settings change, and keeps them by the revision of `readSubscribers`.
 */
export function noteListenersChange(tx: TenantTx): void {
  store.noteChange(tx)
}

/** Keeps what answers requests in flight of changed events out of the log, because it may repeat what they carry. */
export async function supersedeAttempts(tx: TenantTx, eventIds: string[]): Promise<void> {
  await unfinished.supersedeAttempts(tx, eventIds)
}
