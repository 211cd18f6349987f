import { randomBytes } from 'node:crypto'
import { dayOf, endOfDay } from '../../../../platform/instant.ts'
import { eachDueTenant, listDueTenants } from '../../../../platform/work/due-tenants.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import { listenTo, type Listener } from '../../../../platform/work/listeners.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { FEWEST } from '../../../../platform/anonymity-threshold.ts'
import { stageEvents } from '../../../delivery/publishing/publishing.service.ts'
import { opennessOf } from '../../../surveys/surveys/openness.ts'
import { lockSurvey, readCurrentSurvey } from '../../../surveys/surveys/published-surveys.service.ts'
import { FIGURES_ASKED } from '../../reporting/report/headline.service.ts'
import { markRecorded } from '../../reporting/rollups/rollups.service.ts'
import { completedEvent } from '../response-events.service.ts'
import { listResponsesById } from '../responses.service.ts'
import * as store from './groups.store.ts'

// The one door through which answers to anonymous surveys leave (docs/decisions/0044-one-threshold.md).

const ALWAYS = new Date('9999-01-01T00:00:00Z')
/** Events in one transaction. */
const BATCH = 100

/** Lets the figures of an anonymous survey go on, if enough people have answered since. */
export const onFiguresAsked: Listener = listenTo(FIGURES_ASKED, async (scope, tx) => ({
  handle: (surveyId) => release(scope, tx, surveyId),
}))

/**
 * The same for every anonymous survey. Only those that can go on are locked: a visit to each of 240 that wait took
 * 400 ms.
 */
export async function releaseEveryAnonymous(scope: Scope): Promise<void> {
  for (const surveyId of await scope.read((tx) => store.listReadySurveys(tx, FEWEST)))
    await scope.tx((tx) => release(scope, tx, surveyId))
}

function release(scope: Scope, tx: TenantTx, surveyId: Id<'survey'>): Promise<void> {
  return formGroups(tx, surveyId, [dayOf(scope.clock.now()), ALWAYS])
}

/** Makes groups of the responses that were finished before these moments, one after the other. */
async function formGroups(tx: TenantTx, surveyId: Id<'survey'>, moments: Date[]): Promise<void> {
  // Two groups at once would each count the answers that wait.
  await lockSurvey(tx, surveyId)
  for (const before of moments) await formGroup(tx, surveyId, before)
}

/**
 * Makes a group of the responses that wait, if there are enough. Its figures show the answers to each question that
 * enough people have answered. The others wait for a later group.
 */
async function formGroup(tx: TenantTx, surveyId: Id<'survey'>, before: Date): Promise<void> {
  const day = await store.takeGroup(tx, surveyId, { fewest: FEWEST, before })
  if (!day) return
  const questions = await store.listEnough(tx, surveyId, FEWEST)
  await store.insertParts(tx, surveyId, { day, questions, salt: newSalt() })
  const reached = await store.listReached(tx, surveyId, { fewest: FEWEST, questions })
  await store.insertFigures(tx, surveyId, { day, questions, reached, salt: newSalt() })
  await store.noteCounted(tx, surveyId, questions)
  markRecorded(tx, surveyId, [day])
}

/** Sends the events of responses whose group is complete and whose day is over. */
export async function publishGroups(system: SystemScope, options: SweepOptions): Promise<number> {
  const before = dayOf(system.clock.now())
  return eachDueTenant(
    options,
    (after) => listDueTenants(system, store.duePublishing(before), after),
    async (tenantId) => {
      const scope = system.tenant(tenantId, { type: 'system' })
      let published = 0
      for (const surveyId of await scope.read((tx) => store.listWaitingSurveys(tx, { fewest: FEWEST, before }))) {
        if (options.signal.aborted || !(await options.renew())) break
        await scope.tx((tx) => formGroups(tx, surveyId, [before]))
        await closeSurvey(scope, surveyId, before)
        let batch = 0
        do {
          batch = await scope.tx((tx) => publishSome(scope, tx, surveyId, before))
          published += batch
        } while (batch === BATCH && !options.signal.aborted && (await options.renew()))
      }
      return published
    },
  )
}

/** At the survey's close the rest leaves, unless the survey has too few in all. */
async function closeSurvey(scope: Scope, surveyId: Id<'survey'>, before: Date): Promise<void> {
  await scope.tx(async (tx) => {
    if (!(await isOver(scope, tx, surveyId))) return
    await lockSurvey(tx, surveyId)
    await store.takeRest(tx, surveyId, { fewest: FEWEST, before, day: dayOf(new Date(before.getTime() - 1)) })
  })
}

async function isOver(scope: Scope, tx: TenantTx, surveyId: Id<'survey'>): Promise<boolean> {
  const { opening } = await readCurrentSurvey(scope, tx, surveyId)
  return ['closed', 'archived', 'ended'].includes(opennessOf(opening, scope.clock.now()))
}

/** In random order, and with the day of their group as their moment. */
async function publishSome(scope: Scope, tx: TenantTx, surveyId: Id<'survey'>, before: Date): Promise<number> {
  await store.markOutcomesPublished(tx, surveyId, before)
  const leaving = await store.lockLeaving(tx, surveyId, { before, salt: newSalt(), limit: BATCH })
  if (leaving.length === 0) return 0
  const ids = leaving.map(({ id }) => id)
  const rows = new Map((await listResponsesById(tx, ids)).map((row) => [row.id, row]))
  const events = leaving.flatMap(({ id, counted_on }) => {
    const row = rows.get(id)
    return row && !row.erased_at ? [completedEvent(row, counted_on)] : []
  })
  await stageEvents(scope, tx, events)
  await store.markAllPublished(tx, ids)
  return leaving.length
}

/** Where a response to an anonymous survey stands: its event has left, or it waits for others, who may not come. */
export async function standingOf(
  scope: Scope,
  surveyId: Id<'survey'>,
  id: Id<'response'>,
): Promise<{ published: boolean; leavesAt: Date | null; isBelow: boolean }> {
  return scope.read(async (tx) => {
    const standing = await store.findStanding(tx, id)
    return {
      published: standing?.published ?? false,
      leavesAt: standing?.counted_on ? endOfDay(standing.counted_on) : null,
      isBelow: (await store.countAll(tx, surveyId)) < FEWEST,
    }
  })
}

function newSalt(): string {
  return randomBytes(32).toString('base64url')
}
