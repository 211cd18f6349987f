import type { Id } from '../../../../platform/ids.ts'
import { type Scope, signalOf } from '../../../../platform/scope.ts'
import { compileFilter } from '../../../../platform/filter/compile.ts'
import { readCurrentSurvey } from '../../../surveys/surveys/published-surveys.service.ts'
import * as store from '../cells/counts.store.ts'
import { readCells } from '../cells/report-cells.ts'
import { headline } from '../cells/report-figures.ts'
import { coverBetween, type Span } from '../cells/rollup-cover.ts'
import { readRolled } from '../rollups/rollups.service.ts'

/** Somebody asks for the figures of an anonymous survey. They may have to grow first. */
export const FIGURES_ASKED = signalOf<Id<'survey'>>('figures.asked')

// Slots before this one have only states and scores.
const NO_QUESTIONS = 2

/** The counts by state and the scores of a survey in one period, without questions and trend. */
export async function readHeadline(
  scope: Scope,
  id: Id<'survey'>,
  { since, until }: Span,
): Promise<ReturnType<typeof headline>> {
  const isAnonymous = await releaseIfAnonymous(scope, id)
  return scope.read(
    async (tx) => {
      const cuts = [since, until]
      const cover = coverBetween(cuts, await readRolled(tx, id, { since, until }))
      const context = { tx, alias: 'r', now: scope.clock.now(), reads: 'figures' } as const
      const condition = isAnonymous ? await compileFilter('responses', { all: [] }, context) : undefined
      const cells = await Promise.all([
        store.countCells(tx, { surveyId: id, condition, spans: cover.live, cuts }, NO_QUESTIONS),
        store.sumCells(tx, id, cover, { cuts, wholeFrom: NO_QUESTIONS }),
      ])
      return headline(await readCells(cells.flat(), 1))
    },
    { snapshot: true },
  )
}

/**
 * Lets the figures of an anonymous survey go on, if enough people have answered since.
 * @returns whether the survey is anonymous.
 */
export async function releaseIfAnonymous(scope: Scope, id: Id<'survey'>): Promise<boolean> {
  const { definition } = await scope.read((tx) => readCurrentSurvey(scope, tx, id))
  if (definition.privacy !== 'anonymous') return false
  await scope.tx((tx) => scope.signals.emit(FIGURES_ASKED, scope, tx, id))
  return true
}
