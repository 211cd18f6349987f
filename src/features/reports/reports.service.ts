import type { z } from 'zod'
import { badRequest, Problem } from '../../http/problem.ts'
import { formatId, type Id } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { readCurrentSurvey, readQuotaCounts } from '../surveys/published-surveys.service.ts'
import { headline, questionReports, trendOf } from './report-figures.ts'
import type { Report, ReportQuery } from './reports.schema.ts'
import * as store from './reports.store.ts'

const MOST_BUCKETS = 1_000

/**
 * The report of one survey: counts, metrics, questions and trend of a period, and the period before.
 * @throws Problem 404 for an unknown survey, 400 for a period that ends before it begins or has more than 1,000 intervals.
 */
export async function readReport(scope: Scope, id: Id<'survey'>, query: z.output<typeof ReportQuery>): Promise<z.input<typeof Report>> {
  const { interval, timezone, filter } = query
  return scope.read(async (tx) => {
    const { definition, version } = await readCurrentSurvey(tx, id)
    const period = await store.findPeriod(tx, { from: query.from, to: query.to, interval, timezone, now: scope.clock.now(), mostBuckets: MOST_BUCKETS })
    if (period.from >= period.to) throw badRequest([{ path: 'to', message: 'End the period after it begins.' }])
    if (period.buckets.length > MOST_BUCKETS)
      throw badRequest([{ path: 'interval', message: `Choose a longer interval or a shorter period; a trend has at most ${MOST_BUCKETS} intervals.` }])
    const reach = { surveyId: id, filter }
    const [states, scores, reached, answered, answers, trend, counts] = await Promise.all([
      store.countStates(tx, reach, period),
      store.countScores(tx, reach, period),
      store.countReached(tx, reach, period),
      store.countAnswered(tx, reach, period),
      store.countAnswers(tx, reach, period),
      store.countTrend(tx, reach, period, { interval, timezone }),
      readQuotaCounts(tx, id),
    ])
    const [from, to, previousFrom] = [period.from, period.to, period.previousFrom].map((at) => at.toISOString()) as [string, string, string]
    const inPeriod = <Row extends { current: boolean }>(rows: Row[], current: boolean) => rows.filter((row) => row.current === current)
    return {
      survey_id: formatId('survey', id),
      version,
      period: { from, to, interval, timezone },
      ...headline(inPeriod(states, true), inPeriod(scores, true)),
      questions: questionReports(definition, { reached, answered, answers }),
      trend: trendOf(period.buckets, trend, definition.metric),
      quotas: definition.quotas.map((quota) => ({ id: quota.id, limit: quota.limit, count: counts.get(quota.id) ?? 0 })),
      previous: { period: { from: previousFrom, to: from }, ...headline(inPeriod(states, false), inPeriod(scores, false)) },
    }
  })
}

/** The synchronous export is retired (source specification, "Retired"): the answer for any id, without a look-up. */
export function exportRetired(): Problem {
  return new Problem(410, 'export_retired', {
    detail:
      'The synchronous export is retired. Start an export run with `POST /v1/export-runs`; it answers 202 with a run whose parts you download once it is completed.',
    extra: {
      successor: '/v1/export-runs',
      migration: { method: 'POST', path: '/v1/export-runs', body: { source: 'responses', survey_id: 'srv_…', format: 'csv' } },
    },
  })
}
