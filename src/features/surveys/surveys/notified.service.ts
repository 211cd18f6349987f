import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { signalOf } from '../../../platform/signals.ts'

/** Who will hear of the completed responses of a survey. */
export interface Notified {
  /** Enabled webhooks. */
  webhooks: number
  /** Subscriptions of members. */
  members: number
  alert_rules: number
}

/** A survey begins to take responses. Each listener adds those whom it will tell. */
export const OPENED = signalOf<{ surveyId: Id<'survey'>; notified: Notified }>('survey.opened')

export async function readNotified(scope: Scope, tx: TenantTx, surveyId: Id<'survey'>): Promise<Notified> {
  const notified: Notified = { webhooks: 0, members: 0, alert_rules: 0 }
  await scope.signals.emit(OPENED, scope, tx, { surveyId, notified })
  return notified
}
