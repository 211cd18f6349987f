import type { z } from 'zod'
import { formatId, type Id } from '../../../../platform/ids.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { countMatching, listMatching } from '../../../answers/responses/matching.service.ts'
import { findSurveyIds } from '../../../surveys/surveys/surveys.service.ts'
import { findDrops } from './drops.service.ts'
import { excerptOf } from './alert-events.service.ts'
import type { AlertRulePreview, PreviewAlertRule } from '../rules/rules.schema.ts'
import { requireTriggerReferences } from '../rules/rules.service.ts'

const DAY_MS = 86_400_000
const SAMPLE = 10

/** The alerts that a rule would have opened. A drop is looked for now, in the current windows. */
export async function previewAlertRule(
  scope: Scope,
  { trigger, survey_ids, days }: z.output<typeof PreviewAlertRule>,
): Promise<z.input<typeof AlertRulePreview>> {
  const surveyIds = await findSurveyIds(scope, survey_ids, 'survey_ids')
  return scope.read(async (tx) => {
    await requireTriggerReferences(scope, tx, trigger)
    return trigger.on === 'response'
      ? previewResponses(scope, tx, { filter: trigger.filter, surveyIds, days })
      : previewDrops(scope, tx, trigger, surveyIds)
  })
}

type Preview = z.input<typeof AlertRulePreview>

async function previewResponses(
  scope: Scope,
  tx: ReadTx,
  asked: { filter: Parameters<typeof listMatching>[2]['filter']; surveyIds: Id<'survey'>[]; days: number },
): Promise<Preview> {
  const now = scope.clock.now()
  const range = { ...asked, since: new Date(now.getTime() - asked.days * DAY_MS), until: new Date(now.getTime() + 1) }
  const rows = await listMatching(scope, tx, { ...range, limit: SAMPLE })
  return {
    count: await countMatching(scope, tx, range),
    sample: rows.map((row) => ({
      response_id: formatId('response', row.id),
      survey_id: formatId('survey', row.survey_id),
      completed_at: (row.completed_at ?? row.started_at).toISOString(),
      score: row.score,
      excerpt: excerptOf(row),
    })),
  }
}

async function previewDrops(
  scope: Scope,
  tx: ReadTx,
  trigger: Parameters<typeof findDrops>[2],
  surveyIds: Id<'survey'>[],
): Promise<Preview> {
  const drops = await findDrops(scope, tx, trigger, surveyIds)
  return {
    count: drops.length,
    sample: drops.slice(0, SAMPLE).map(({ surveyId, score }) => ({
      response_id: null,
      survey_id: formatId('survey', surveyId),
      completed_at: scope.clock.now().toISOString(),
      score,
      excerpt: null,
    })),
  }
}
