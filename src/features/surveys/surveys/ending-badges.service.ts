import { unprocessable } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import { formatId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { Ending } from '../../../survey-engine/model/definition.ts'
import * as store from './surveys.store.ts'

/** Says which of these ids are badges of the workspace. */
export type KnownBadges = (scope: Scope, ids: string[]) => Promise<Set<string>>

/** @throws Problem 422 with an issue for each ending that names a badge which the workspace does not have. */
export async function refuseUnknownBadges(scope: Scope, endings: Ending[], knownBadges: KnownBadges): Promise<void> {
  const named = endings.flatMap(({ badge }, index) =>
    badge === undefined ? [] : [{ badge, path: `endings.${index}.badge` }],
  )
  if (named.length === 0) return
  const known = await knownBadges(
    scope,
    named.map(({ badge }) => badge),
  )
  const issues = named
    .filter(({ badge }) => !known.has(badge))
    .map(({ path }) => ({ path, message: 'There is no such badge.' }))
  if (issues.length > 0) throw unprocessable('unknown_badge', issues)
}

/** The surveys whose draft or published versions show a badge. */
export async function listBadgeUses(
  tx: ReadTx,
  id: string,
): Promise<Array<{ type: string; id: string; name: string }>> {
  const rows = await store.listShowing(tx, JSON.stringify(id))
  return rows.map(({ id: surveyId, name }) => ({ type: 'survey', id: formatId('survey', surveyId), name }))
}
