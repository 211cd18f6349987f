import type { z } from 'zod'
import { Problem, unprocessable } from '../../../../http/problems/problem.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import { testsOf, type Filter } from '../../../../platform/filter/grammar.ts'
import { formatId, type Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { Metric } from '../../../../survey-engine/model/definition.ts'
import { readCurrentSurvey } from '../../../surveys/surveys/published-surveys.service.ts'
import { readQuotaCounts } from '../../../surveys/surveys/quotas.service.ts'
import { listRewritten, readRewordings, type Rewording } from '../../../surveys/surveys/rewordings.service.ts'
import { countAll, countFiltered, medianDurations } from './counting.service.ts'
import { readPeriod } from './periods.service.ts'
import type { Period } from './periods.store.ts'
import { isCrowded } from '../cells/counts.store.ts'
import { readCells } from '../cells/report-cells.ts'
import { releaseIfAnonymous } from './headline.service.ts'
import { comparedWith, headline, questionReports, trendOf, type Headline } from '../cells/report-figures.ts'
import type { Report, ReportQuery } from './reporting.schema.ts'
import { requestRollups } from '../rollups/rollups.service.ts'

const [PREVIOUS, CURRENT] = [1, 2]

/**
 * The report of one survey: a period's counts, metrics, questions and trend, and the period before. It adds rollups and
 * the remaining responses, all as of one moment. With a filter it adds facts instead of rollups.
 * @throws Problem 404 for an unknown survey, 400 for a period that ends before it begins or has more than 1,000
 * intervals.
 */
export async function readReport(
  scope: Scope,
  id: Id<'survey'>,
  query: z.output<typeof ReportQuery>,
): Promise<z.input<typeof Report>> {
  const { interval, timezone, filter, compare } = query
  await releaseIfAnonymous(scope, id)
  let crowded = false
  const report = scope.read(
    async (tx) => {
      const { definition, version } = await readCurrentSurvey(scope, tx, id)
      const isAnonymous = definition.privacy === 'anonymous'
      if (isAnonymous && filter) throw anonymousSurvey('filter')
      if (isAnonymous && compare) throw anonymousSurvey('compare')
      const period = await readPeriod(scope, tx, query)
      const cuts = [period.previousFrom, period.from, period.to]
      const starts = period.buckets.map((bucket) => bucket.from)
      const counted = {
        id,
        cuts,
        trendCuts: [period.from, ...starts.slice(1), period.to],
        metric: definition.metric,
        wholeFrom: CURRENT,
      }
      const spans = [
        { since: period.from, until: period.to },
        { since: period.previousFrom, until: period.from },
      ]
      const [figures, rewritten, counts, [median = null, medianBefore = null], compared] = await Promise.all([
        filter ? countFiltered(scope, tx, { ...counted, filter }) : countAll(scope, tx, { ...counted, isAnonymous }),
        listRewritten(tx, id, period.from),
        readQuotaCounts(tx, id),
        medianDurations(scope, tx, id, { filter, spans }),
        compare && countOthers(scope, tx, { id, period, metric: definition.metric, filter: compare }),
      ])
      crowded = figures.isCrowded
      const before = await readCells(figures.cells, PREVIOUS)
      const now = await readCells(figures.cells, CURRENT)
      const [from, to, previousFrom] = [period.from, period.to, period.previousFrom].map((at) => at.toISOString()) as [
        string,
        string,
        string,
      ]
      const shown = headline(now)
      const answer = {
        survey_id: formatId('survey', id),
        version,
        period: { from, to, interval, timezone },
        ...shown,
        median_duration_ms: median,
        questions: await questionReports(definition, now),
        trend: trendOf(period.buckets, figures.trend, definition.metric),
        // A quota counts each answer at once.
        quotas: (isAnonymous ? [] : definition.quotas).map((quota) => ({
          id: quota.id,
          limit: quota.limit,
          count: counts.get(quota.id) ?? 0,
        })),
        previous: {
          period: { from: previousFrom, to: from },
          ...comparedWith(headline(before), shown),
          median_duration_ms: medianBefore,
        },
        ...(compared && {
          compare: {
            period: { from, to },
            ...comparedWith(compared.figures, shown),
            median_duration_ms: compared.median,
          },
        }),
      }
      return { answer, rewritten, period: { ...period, isAnonymous } }
    },
    { snapshot: true },
  )
  try {
    const { answer, rewritten, period } = await report
    const reworded = await rewordedAmidst(scope, id, rewritten, period)
    const questions = answer.questions.map((question) => ({
      ...question,
      reworded: reworded.get(question.question_id) ?? null,
    }))
    return { ...answer, questions }
  } finally {
    if (crowded) await requestRollups(scope, id)
  }
}

/**
 * The questions whose words changed after somebody had answered in the period. Of an anonymous survey, nobody looks.
 */
async function rewordedAmidst(
  scope: Scope,
  id: Id<'survey'>,
  rewritten: Rewording[],
  { from, to, isAnonymous }: Pick<Period, 'from' | 'to'> & { isAnonymous: boolean },
): Promise<Map<string, { version: number; published_at: string }>> {
  if (rewritten.length === 0) return new Map()
  const changed = await readRewordings(scope, id, rewritten)
  const moments = [...new Set([...changed.values()].map(({ published_at }) => published_at.getTime()))]
  const after = new Set<number>()
  await scope.read(async (tx) => {
    for (const at of moments) {
      const until = new Date(Math.min(at, to.getTime()))
      if (isAnonymous || (await isCrowded(tx, id, [{ since: from, until }], 0))) after.add(at)
    }
  })
  return new Map(
    [...changed]
      .filter(([, { published_at }]) => after.has(published_at.getTime()))
      .map(([question, { version, published_at }]) => [
        question,
        { version, published_at: published_at.toISOString() },
      ]),
  )
}

/** The headline of other responses of the same period. */
async function countOthers(
  scope: Scope,
  tx: ReadTx,
  {
    id,
    period: { from, to },
    metric,
    filter,
  }: { id: Id<'survey'>; period: Period; metric: Metric | null; filter: Filter },
): Promise<{ figures: Headline; median: number | null }> {
  const cuts = [from, to]
  // Slots before the second have only states and scores.
  const counted = { id, cuts, trendCuts: cuts, metric, wholeFrom: 2 }
  const isFiltered = testsOf(filter).length > 0
  const [{ cells }, [median = null]] = await Promise.all([
    isFiltered
      ? countFiltered(scope, tx, { ...counted, filter })
      : countAll(scope, tx, { ...counted, isAnonymous: false }),
    medianDurations(scope, tx, id, { filter, spans: [{ since: from, until: to }] }),
  ])
  return { figures: headline(await readCells(cells, 1)), median }
}

function anonymousSurvey(path: 'filter' | 'compare'): Problem {
  return unprocessable(
    'anonymous_survey',
    [{ path, message: 'Leave out the filter. The report shows everybody together.' }],
    'This survey is anonymous, and a filter could single out a person.',
  )
}

/** The answer of the retired synchronous export (docs/specification.md, "Reports"), for any id, without a look-up. */
export function exportRetired(): Problem {
  return new Problem(410, 'export_retired', {
    detail:
      'The synchronous export is retired. Start an export run with `POST /v1/export-runs`. It answers 202 with a ' +
      'run, whose parts you download once it is completed.',
    extra: {
      successor: '/v1/export-runs',
      migration: {
        method: 'POST',
        path: '/v1/export-runs',
        body: { source: 'responses', survey_id: 'srv_…', format: 'csv' },
      },
    },
  })
}
