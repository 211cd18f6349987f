import type { BacklogRow } from '../../../../platform/backlog.ts'
import type { SystemScope } from '../../../../platform/scope.ts'
import * as store from './backlog.store.ts'

/** Deliveries that wait for an attempt, in all workspaces. */
export function readDeliveryBacklog(system: SystemScope): Promise<BacklogRow[]> {
  return system.tx(store.listDeliveryBacklog)
}

/** Replays and backfills under way. */
export function readJobBacklog(system: SystemScope): Promise<BacklogRow[]> {
  return system.tx(store.listJobBacklog)
}
