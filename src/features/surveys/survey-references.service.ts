import { unprocessable } from '../../http/problem.ts'
import { parseId, type Id } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { listExistingSurveys } from './survey-references.store.ts'

/**
 * The surveys that a request body names. One that is unknown, malformed or another workspace's is the
 * same mistake. @throws Problem 422 naming its place under `path`.
 */
export async function findSurveyIds(scope: Scope, texts: string[], path: string): Promise<Id<'survey'>[]> {
  if (texts.length === 0) return []
  const ids = texts.map((text) => parseId('survey', text))
  const wellFormed = ids.filter((id) => id !== null)
  const existing = await scope.tx((tx) => listExistingSurveys(tx, wellFormed))
  const wrong = ids.findIndex((id) => id === null || !existing.has(id))
  if (wrong !== -1) throw unprocessable('unknown_survey', [{ path: `${path}.${wrong}`, message: 'There is no such survey in this workspace.' }])
  return [...new Set(wellFormed)]
}
