import type { Issue } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { SurveyDefinition } from '../../../survey-engine/model/definition.ts'
import { readDefinition } from './published-surveys.service.ts'
import { hasResponses } from './quotas.store.ts'
import type { SurveyRow } from './surveys.store.ts'

/** People answered under one promise, so the next version cannot make another. */
export async function privacyIssues(
  scope: Scope,
  tx: ReadTx,
  row: SurveyRow,
  { privacy = 'open' }: SurveyDefinition,
): Promise<Issue[]> {
  if (row.version === 0) return []
  const { privacy: promised = 'open' } = await readDefinition(scope, tx, row.id, row.version)
  if (privacy === promised || !(await hasResponses(tx, row.id))) return []
  return [
    {
      path: 'privacy',
      message: `Keep ${promised}, because people have already answered. To change it, duplicate the survey.`,
    },
  ]
}
