import type { TenantTx } from '../../../platform/database/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { PersonalData } from '../../../platform/personal.ts'
import type { SystemScope } from '../../../platform/scope.ts'
import type { SweepOptions } from '../../../platform/work/sweeps.ts'
import { eraseContents } from '../events/events.service.ts'
import { personalEvents } from '../events/personal.service.ts'
import { removeEvents } from '../events/retention.service.ts'
import { eraseAnswers, listMentioningEvents } from '../webhooks/log/personal.service.ts'
import { removeSettledDeliveries } from '../webhooks/log/retention.service.ts'
import { supersedeAttempts } from '../webhooks/registration/webhook-state.service.ts'

/** Removes respondents' words from the events of responses, and from what receivers answered to them. */
export async function eraseEventsOfResponses(tx: TenantTx, ids: Id<'response'>[]): Promise<void> {
  await eraseEventsOf(
    tx,
    ids.map((id) => `response:${id}:`),
  )
}

/** The same for events whose sources begin so. */
export async function eraseEventsOf(tx: TenantTx, beginnings: string[]): Promise<void> {
  const erased = await eraseContents(tx, beginnings)
  if (erased.length === 0) return
  // A worker may hold the old content. Its attempt is recorded without an answer, and a retry has the new content.
  await supersedeAttempts(tx, erased)
  await eraseAnswers(tx, erased)
}

export const personal: PersonalData = {
  stores: [
    personalEvents({
      listMentioning: listMentioningEvents,
      // As in `eraseEventsOf`. The answers of receivers are a store of the webhooks.
      erased: supersedeAttempts,
    }),
  ],
}

/** Removes old events with their deliveries. Returns the number of removed rows of both. */
export function removeOldEvents(system: SystemScope, options: SweepOptions): Promise<number> {
  return removeEvents(system, options, removeSettledDeliveries)
}
