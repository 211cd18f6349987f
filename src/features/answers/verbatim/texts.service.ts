import type { ReadTx } from '../../../platform/database.ts'
import type { Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { readDefinition } from '../../surveys/surveys/published-surveys.service.ts'
import { listResponsesById, type ResponseRow } from '../responses/responses.service.ts'

export interface ResponseTexts {
  row: ResponseRow & { completed_at: Date }
  texts: Array<{ questionId: string; text: string }>
}

/**
 * Completed responses with their own words: open texts and those of an "other", but no addresses and numbers. Nobody
 * reads a single text of an anonymous survey.
 */
export async function readClassifiable(
  scope: Scope,
  tx: ReadTx,
  ids: Id<'response'>[],
  rows?: ResponseRow[],
): Promise<ResponseTexts[]> {
  const found: ResponseTexts[] = []
  for (const row of rows ?? (await listResponsesById(tx, ids))) {
    const { completed_at } = row
    if (row.state !== 'completed' || row.erased_at || row.anonymity || !completed_at) continue
    const definition = await readDefinition(scope, tx, row.survey_id, row.survey_version)
    found.push({ row: { ...row, completed_at }, texts: wordsOf(definition, row) })
  }
  return found
}

function wordsOf({ questions }: SurveyDefinition, { text }: ResponseRow): ResponseTexts['texts'] {
  return text.flatMap(({ question_id, value }) => {
    const question = questions.find(({ id }) => id === question_id)
    const isForeign = question?.type === 'open_text' && question.format !== undefined && question.format !== 'text'
    return typeof value !== 'string' || isForeign || value.trim() === ''
      ? []
      : [{ questionId: question_id, text: value }]
  })
}
