import type { ReadTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { markRecorded } from '../reporting/rollups.service.ts'
import { dayOf, FEWEST } from './anonymity.ts'
import * as store from './responses.store.ts'

/**
 * Releases the held responses of an anonymous survey into its figures, five or more at a time: what two reports differ
 * in is never one person.
 */
export async function releaseAnonymous(scope: Scope, surveyId: Id<'survey'>): Promise<void> {
  const day = dayOf(scope.clock.now())
  await scope.tx(async (tx) => {
    const released = await store.releaseHeld(tx, surveyId, { fewest: FEWEST, day })
    if (released.length > 0) markRecorded(tx, surveyId, [day, ...released.map(({ started_at }) => started_at)])
  })
}

/** Surveys that hold responses back until others come. */
export function findHeldSurveys(tx: ReadTx): Promise<Id<'survey'>[]> {
  return store.listHeldSurveys(tx)
}

/** Releases what may be released of every anonymous survey. */
export async function releaseEveryAnonymous(scope: Scope): Promise<void> {
  for (const surveyId of await scope.read(store.listHeldSurveys)) await releaseAnonymous(scope, surveyId)
}
