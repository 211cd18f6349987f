import { isDeepStrictEqual } from 'node:util'
import { conflict } from '../../../../http/problems/problem.ts'
import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import type { Evaluation } from '../../../../survey-engine/logic/evaluation.ts'
import { matchingQuotas } from '../../../../survey-engine/logic/quotas.ts'
import { scoreOf } from '../../../../survey-engine/metrics/score.ts'
import { joinAnswers, splitAnswers } from '../../../../survey-engine/logic/stored-answers.ts'
import { takesChanges } from '../../../surveys/surveys/published-surveys.service.ts'
import { earlierFlags, qualityFlags } from '../../responses/suspicions.ts'
import { saveRevision } from '../../responses/recording.service.ts'
import type { ResponseRow } from '../../responses/responses.service.ts'
import { agentIn } from '../../../surveys/agents/naming.service.ts'
import { dedupeKey } from './dedupe.ts'
import { isInvited } from './invited.service.ts'

/**
 * Whether the respondent may change a completed response: an invitation led to it, the survey allows changes and has
 * not closed. A response that the logic screened out stays as it is.
 */
export async function mayRevise(
  scope: Scope,
  tx: ReadTx,
  row: ResponseRow,
  definition: SurveyDefinition,
): Promise<boolean> {
  const counts = row.state === 'completed' || (row.state === 'quarantined' && row.held_state === 'completed')
  if (!counts || row.completed_at === null || row.erased_at || row.anonymity) return false
  if (!(definition.allow_changes ?? definition.dedupe !== 'single_use')) return false
  return (await isInvited(tx, row)) && takesChanges(scope, tx, row.survey_id)
}

/**
 * The completed response after its respondent answered once more. The same answers change nothing.
 * @throws Problem 409 unless `mayRevise`, if the new answers lead to another outcome, or for the contact of another
 * response; 422 for an unknown agent.
 */
export async function reviseAnswers(
  scope: Scope,
  tx: TenantTx,
  before: ResponseRow,
  { definition, evaluation, language }: { definition: SurveyDefinition; evaluation: Evaluation; language: string },
): Promise<ResponseRow> {
  const { values, custom_data, variables, path, outcome } = evaluation
  const known = joinAnswers(definition, before.answers, before.text)
  if (isDeepStrictEqual(values, known) && isDeepStrictEqual(custom_data, before.custom_data)) return before
  if (outcome !== 'completed' || !(await mayRevise(scope, tx, before, definition)))
    throw conflict('already_completed', 'This response is complete. Its answers cannot be changed any more.')
  const score = scoreOf(definition, values)
  const row: ResponseRow = {
    ...before,
    ...splitAnswers(definition, values),
    language,
    custom_data,
    agent_id: before.agent_id ?? (await agentIn(scope, tx, definition, custom_data)),
    path,
    metric: score?.metric ?? null,
    score: score?.value ?? null,
    band: score?.band ?? null,
    quality_flags: [...earlierFlags(before.quality_flags), ...qualityFlags(definition, values, before.duration_ms)],
    quotas: matchingQuotas(definition, values, custom_data, variables),
    dedupe_key:
      definition.dedupe === 'contact'
        ? dedupeKey(scope, { id: before.survey_id, definition }, values, {
            ticket: null,
            device: undefined,
            origin: null,
          })
        : before.dedupe_key,
    updated_at: scope.clock.now(),
  }
  await saveRevision(scope, tx, row, before)
  return row
}
