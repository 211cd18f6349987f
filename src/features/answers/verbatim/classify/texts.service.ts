import type { ReadTx } from '../../../../platform/database/database.ts'
import type { Id } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import type { StoredText } from '../../../../survey-engine/logic/stored-answers.ts'
import { isOfKind } from '../../../../survey-engine/types/registry.ts'
import type { SurveyDefinition } from '../../../../survey-engine/model/definition.ts'
import { readDefinition } from '../../../surveys/surveys/published-surveys.service.ts'
import { listResponsesById, type ResponseRow } from '../../responses/responses.service.ts'

interface GivenText {
  questionId: string
  text: string
}

export interface ResponseTexts {
  row: ResponseRow & { completed_at: Date }
  texts: GivenText[]
}

/** A response with everything that was typed into it. */
export interface TypedTexts {
  row: ResponseRow
  /** Of its survey. */
  languages: string[]
  texts: Array<GivenText & { isClassified: boolean }>
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
  const found = await readTyped(scope, tx, ids, rows)
  return found.flatMap(({ row, texts }) => {
    const { completed_at } = row
    if (row.state !== 'completed' || !completed_at) return []
    return { row: { ...row, completed_at }, texts: texts.filter(({ isClassified }) => isClassified) }
  })
}

/** Responses in any state with all texts that a filter on `text` reads. */
export async function readTyped(
  scope: Scope,
  tx: ReadTx,
  ids: Id<'response'>[],
  rows?: ResponseRow[],
): Promise<TypedTexts[]> {
  const found: TypedTexts[] = []
  for (const row of rows ?? (await listResponsesById(tx, ids))) {
    if (row.erased_at || row.anonymity) continue
    const definition = await readDefinition(scope, tx, row.survey_id, row.survey_version)
    const isFinished = row.state === 'completed' && row.completed_at !== null
    const texts = row.text.flatMap((item) => {
      const isClassified = isFinished && isOwnWords(definition, item)
      const { question_id: questionId, value } = item
      return wordsOf(value).map((text) => ({ questionId, text, isClassified }))
    })
    found.push({ row, languages: [definition.default_language, ...(definition.languages ?? [])], texts })
  }
  return found
}

function isOwnWords({ questions }: SurveyDefinition, { question_id, value }: StoredText): boolean {
  const question = questions.find(({ id }) => id === question_id)
  const isForeign =
    question !== undefined && isOfKind(question, 'text') && question.format !== undefined && question.format !== 'text'
  return typeof value === 'string' && !isForeign && value.trim() !== ''
}

function wordsOf(value: StoredText['value']): string[] {
  return typeof value === 'string' ? [value] : Object.values(value)
}
