import type { Scope } from '../../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import type { Evaluation } from '../../../../survey-engine/logic/evaluation.ts'
import { matchingQuotas, settledQuotas } from '../../../../survey-engine/logic/quotas.ts'
import { scoreOf } from '../../../../survey-engine/metrics/score.ts'
import { splitAnswers } from '../../../../survey-engine/logic/stored-answers.ts'
import { type PublishedSurvey } from '../../../surveys/surveys/published-surveys.service.ts'
import { placesIn, type QuotaPlace } from '../../../surveys/surveys/quotas.service.ts'
import { earlierFlags, NO_PROOF, qualityFlags, suspicions, type PageSigns } from '../../responses/suspicions.ts'
import type { ResponseRow } from '../../responses/responses.service.ts'

interface Circumstances {
  /** The quota that was full a moment ago. */
  full: string | null
  revising: boolean
  signs?: PageSigns | undefined
  /** The survey asks for a proof of work, and none came. */
  lacksProof?: boolean
}

/** The row after an evaluation: the answers and their state. `before` is the stored row, if any. */
export function settle(
  scope: Scope,
  survey: PublishedSurvey,
  evaluation: Evaluation,
  { full, revising, signs, lacksProof = false }: Circumstances,
  row: ResponseRow,
  before?: ResponseRow,
): { row: ResponseRow; places: QuotaPlace[] } {
  const { definition } = survey
  const { values, custom_data, variables, outcome } = evaluation
  const content = { ...row, ...splitAnswers(definition, values), custom_data, path: metPath(evaluation) }
  const suspects = [
    ...(signs ? suspicionsOf(scope, definition, content, values, signs) : []),
    ...(lacksProof ? [NO_PROOF] : []),
  ]
  const said = { ...content, quality_flags: [...new Set([...earlierFlags(content.quality_flags), ...suspects])] }
  const held = before?.state === 'quarantined' || suspects.length > 0
  const finished = () => finish(scope, definition, said, values, before)

  if (outcome === 'in_progress') {
    // A respondent whose quota is full gets no more questions.
    const settled = revising ? [] : settledQuotas(definition, evaluation)
    if (!held && placesIn(survey, settled, null) === null)
      return { row: { ...finished(), state: 'over_quota' }, places: [] }
    const state = Object.keys(values).length > 0 ? ('partial' as const) : ('started' as const)
    return { row: held ? { ...said, state: 'quarantined', held_state: state } : { ...said, state }, places: [] }
  }
  const matching = outcome === 'completed' ? matchingQuotas(definition, values, custom_data, variables) : []
  // Quarantined: it counts in no quota until it is released.
  if (held) return { row: { ...finished(), state: 'quarantined', held_state: outcome, quotas: matching }, places: [] }
  if (outcome === 'screened_out') return { row: { ...finished(), state: 'screened_out' }, places: [] }
  const places = placesIn(survey, matching, full)
  return places
    ? { row: { ...finished(), state: 'completed', quotas: matching }, places }
    : { row: { ...finished(), state: 'over_quota' }, places: [] }
}

// Nobody could look at a single response of an anonymous survey, so none is held back.
function suspicionsOf(
  scope: Scope,
  { privacy }: SurveyDefinition,
  row: ResponseRow,
  values: Evaluation['values'],
  signs: PageSigns,
): string[] {
  if (privacy === 'anonymous') return []
  const passedMs = scope.clock.now().getTime() - row.started_at.getTime()
  return suspicions(signs, Object.keys(values).length, passedMs > 0 ? passedMs : null)
}

function finish(
  scope: Scope,
  definition: SurveyDefinition,
  row: ResponseRow,
  values: Evaluation['values'],
  before?: ResponseRow,
): ResponseRow {
  const now = scope.clock.now()
  const measured = before !== undefined || row.started_at < now
  const duration_ms = measured ? Math.max(0, now.getTime() - row.started_at.getTime()) : null
  const score = scoreOf(definition, values)
  return {
    ...row,
    completed_at: now,
    duration_ms,
    metric: score?.metric ?? null,
    score: score?.value ?? null,
    band: score?.band ?? null,
    quality_flags: [...earlierFlags(row.quality_flags), ...qualityFlags(definition, values, duration_ms)],
  }
}

// The path of an unfinished response ends with the next question, because the respondent stops there.
function metPath({ path, next, outcome }: Evaluation): string[] {
  if (outcome !== 'in_progress' || next === null) return path
  return path.slice(0, path.indexOf(next) + 1)
}
