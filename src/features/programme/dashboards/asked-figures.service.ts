import type { z } from 'zod'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { permissionsToFilter, permissionToRead } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireSeenSegments } from '../../outreach/segments/references.service.ts'
import { findSurveyIds } from '../../surveys/surveys/surveys.service.ts'
import { readFigures } from './data.service.ts'
import type { Figures, ReadFigures } from './figures.schema.ts'
import { filtersOf } from './query.ts'
import { requireReadable } from './readable.service.ts'

/**
 * Answers queries that nothing keeps.
 * @throws Problem 403 for a list that the caller may not read, 422 for a survey that the workspace does not have, 400
 * for a period that ends before it begins and for too many points.
 */
export async function answerQueries(
  scope: Scope,
  { queries, filter = { all: [] }, ...rest }: z.output<typeof ReadFigures>,
): Promise<z.input<typeof Figures>> {
  const asked = Object.entries(queries)
  for (const [, query] of asked)
    requireHeld(scope.principal, [
      ...[permissionToRead(query.source) ?? []].flat(),
      ...filtersOf(query).flatMap((each) => permissionsToFilter(query.source, each)),
    ])
  requireHeld(scope.principal, permissionsToFilter('responses', filter))
  for (const [name, query] of asked) await findSurveyIds(scope, query.survey_ids ?? [], `queries.${name}.survey_ids`)
  const common = { ...rest, filter }
  await scope.read(async (tx) => {
    await requireSeenSegments(scope.principal, tx, [filter, ...asked.flatMap(([, query]) => filtersOf(query))])
    await requireReadable(
      scope,
      tx,
      common,
      asked.map(([name, query]) => ({ path: `queries.${name}`, query, isRanked: false })),
    )
  })
  return readFigures(scope, common, new Map(asked))
}
