import type { TenantTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import { readSubscribedMembers, type SubscribedMembers } from '../notifications/staging.service.ts'
import {
  NO_SUBSCRIBERS,
  readSubscribers as readWebhooks,
  type Subscribers as Webhooks,
} from '../webhooks/staging/subscribers.service.ts'
import type { EventType } from './event-types.ts'

/** The subscribers to events of one type. */
export interface Subscribers {
  webhooks: Webhooks
  members: SubscribedMembers
}

/** For work that makes no event. */
export const NOBODY: Subscribers = { webhooks: NO_SUBSCRIBERS, members: [] }

/** Reads both together, because a respondent waits for each round trip. */
export async function readSubscribers(scope: Scope, tx: TenantTx, type: EventType): Promise<Subscribers> {
  const [webhooks, members] = await Promise.all([readWebhooks(scope, tx), readSubscribedMembers(tx, [type])])
  return { webhooks, members }
}
