import { formatId, parseId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import type { EndBadge } from '../../answers/capture/page/respondent-view.ts'
import { shownValue } from './badge-svg.ts'
import { badgePath, figureOf } from './badges.service.ts'
import * as store from './badges.store.ts'

/** Says which of these ids are badges of the workspace. */
export async function knownBadges(scope: Scope, ids: string[]): Promise<Set<string>> {
  const parsed = ids.map((id) => parseId('badge', id)).filter((id) => id !== null)
  const rows = await scope.read((tx) => store.listExisting(tx, parsed))
  return new Set(rows.map(({ id }) => formatId('badge', id)))
}

/** A badge as the last page of a survey shows it. Null if it is gone or disabled, or has too few answers. */
export async function showBadge(scope: Scope, text: string): Promise<EndBadge | null> {
  const id = parseId('badge', text)
  const row = id && (await scope.read((tx) => store.findBadge(tx, id)))
  if (!row?.enabled) return null
  const figure = await figureOf(scope, row)
  if (!figure.enough) return null
  return {
    address: `${badgePath(row)}.svg`,
    alt: `${figure.label}: ${shownValue(row.metric, figure)}`,
    style: row.style,
  }
}
