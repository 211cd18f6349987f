import { dueBy, untilNoneIsDue, listDueTenants } from '../../../../platform/work/due-tenants.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { countsOf, figureOf } from '../../../../survey-engine/metrics/metrics.ts'
import { listSurveyIds } from '../../../surveys/surveys/published-surveys.service.ts'
import { findLastDrop } from '../alerts.store.ts'
import { countScores } from './drops.store.ts'
import { openAlert, startOpening } from './opening.service.ts'
import type { RuleTrigger } from '../rules/rules.schema.ts'
import { lockDueRule, updateCheckAt } from '../rules/rules.store.ts'

type DropTrigger = Extract<RuleTrigger, { on: 'score_drop' }>

const DAY_MS = 86_400_000
/** The time between two looks at a rule. */
const CHECK_MS = 3_600_000

/** Looks at due rules about drops. Returns how many it looked at. */
export async function checkDrops(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, dueBy('alert_rules', 'check_at', system.clock.now()), after),
    async (tenantId) => ((await checkNext(system.tenant(tenantId, { type: 'system' }))) ? 1 : 0),
  )
}

/** One rule in one transaction: the alerts, and the time of the next look. False if none is due. */
async function checkNext(scope: Scope): Promise<boolean> {
  return scope.tx(async (tx) => {
    const now = scope.clock.now()
    const rule = await lockDueRule(tx, now)
    if (!rule) return false
    const { trigger } = rule
    if (trigger.on === 'score_drop') {
      const opening = startOpening(scope, tx)
      for (const { surveyId, score } of await findDrops(scope, tx, trigger, rule.survey_ids)) {
        const last = await findLastDrop(tx, rule.id, surveyId)
        if (last && now.getTime() - last.getTime() < trigger.window_days * DAY_MS) continue
        await openAlert(opening, rule, causeOf(surveyId, score, now))
      }
    }
    await updateCheckAt(tx, rule.id, new Date(now.getTime() + CHECK_MS))
    return true
  })
}

function causeOf(surveyId: Id<'survey'>, score: number, now: Date) {
  const cause = `drop:${surveyId}:${now.toISOString().slice(0, 10)}`
  return { cause, response_id: null, survey_id: surveyId, score, response: null }
}

/** The surveys whose score fell far enough, with the present score. */
export async function findDrops(
  scope: Scope,
  tx: ReadTx,
  { metric, window_days, drop, min_n }: DropTrigger,
  surveyIds: Id<'survey'>[],
): Promise<Array<{ surveyId: Id<'survey'>; score: number }>> {
  const to = scope.clock.now()
  const [middle, from] = [1, 2].map((windows) => new Date(to.getTime() - windows * window_days * DAY_MS)) as [
    Date,
    Date,
  ]
  const ids = surveyIds.length > 0 ? surveyIds : await listSurveyIds(tx)
  const rows = await countScores(tx, { surveyIds: ids, metric, from, middle, to })
  return [...Map.groupBy(rows, ({ survey_id }) => survey_id)].flatMap(([surveyId, counts]) => {
    const [before, now] = [false, true].map((late) =>
      figureOf(metric, countsOf(counts.filter(({ is_late }) => is_late === late))),
    )
    if (!before || !now || before.score === null || now.score === null) return []
    const isEnough = before.n >= min_n && now.n >= min_n
    return isEnough && before.score - now.score >= drop ? [{ surveyId, score: now.score }] : []
  })
}
