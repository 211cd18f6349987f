import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { memberPermissions } from '../../access/members/membership.service.ts'
import { auditedSubscription } from './audited-subscription.ts'
import type { Reader } from './compose.service.ts'
import { deleteUnsent } from './notifications.store.ts'
import * as store from './subscriptions.store.ts'

/**
 * The subscription and what its member may read now. Null if nobody is to be told: it is disabled or deleted, or its
 * member has left, and then it is deleted with what it still had to send.
 */
export async function findReader(
  scope: Scope,
  tx: TenantTx,
  id: Id<'notificationSubscription'>,
): Promise<{ subscription: store.SubscriptionRow; reader: Reader } | null> {
  const subscription = await store.findSubscription(tx, id)
  if (!subscription?.enabled) return null
  const permissions = await memberPermissions(tx, subscription.user_id)
  if (permissions) return { subscription, reader: { language: subscription.language, permissions } }
  await store.deleteSubscription(tx, subscription.user_id, id)
  await deleteUnsent(tx, id)
  auditedSubscription(scope, tx, 'delete', id)
  return null
}
