import { unprocessable, type Issue } from '../../../http/problems/problem.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { EntityName } from '../../../platform/filter/entity.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { namesOf } from '../../../platform/fields/parts.ts'
import { parseId, type Id } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import type { Principal } from '../../../platform/principal.ts'
import { permissionsToFilter } from '../../../platform/readers.ts'
import { REFERENCE_KINDS, referencesIn, requireSeen, type ReferenceKind } from './references.ts'
import { listFilters } from './segment-fields.store.ts'
import { findKnown } from './segments.store.ts'

const NAMES: Record<ReferenceKind, string> = {
  survey: 'survey',
  agent: 'agent',
  person: 'person',
  segment: 'segment',
  topic: 'topic',
  alertRule: 'alert rule',
  user: 'member',
}

/**
 * Refuses a filter that is to be kept and names something that the workspace does not have.
 * @param filters by the path of each in the body. Undefined and null are none.
 * @throws Problem 422 with the path of each name, 403 for a segment that tests what is masked for the asker.
 */
export async function requireReferences(
  asker: Principal,
  tx: ReadTx,
  filters: Record<string, Filter | null | undefined>,
): Promise<void> {
  const named = Object.entries(filters)
    .flatMap(([path, filter]) => (filter ? referencesIn(filter, path) : []))
    .map((reference) => ({ ...reference, id: parseId(reference.kind, reference.text) as string | null }))
  if (named.length === 0) return
  const ids = Object.fromEntries(
    REFERENCE_KINDS.map((kind) => [kind, named.flatMap((one) => (one.kind === kind ? (one.id ?? []) : []))]),
  ) as Record<ReferenceKind, string[]>
  const known = await findKnown(tx, ids)
  for (const kind of REFERENCE_KINDS) {
    const names = ids[kind].length > 0 && (await namesOf(kind)?.(tx, ids[kind] as Id<never>[]))
    if (names) for (const id of names.keys()) known.add(id)
  }
  const issues = named.flatMap(({ kind, id, path }): Issue[] =>
    id !== null && known.has(id) ? [] : [{ path, message: `There is no such ${NAMES[kind]} in this workspace.` }],
  )
  if (issues.length > 0) throw unprocessable('unknown_reference', issues.slice(0, 100))
  requireSeen(asker, await listFilters(tx, ids.segment))
}

/**
 * The permissions that somebody needs to choose rows by a filter: for what it tests itself, and for what the segments
 * test that it names.
 */
export async function permissionsToChoose(
  tx: ReadTx,
  entity: EntityName,
  filter: Filter | null | undefined,
): Promise<Permission[]> {
  const segments = await listNamed(tx, [filter ?? undefined])
  return [
    ...permissionsToFilter(entity, filter),
    ...segments.flatMap((segment) => permissionsToFilter('people', segment.filter)),
  ]
}

/** The same of filters that nothing keeps: a name that is unknown matches nothing. @throws Problem 403 as above. */
export async function requireSeenSegments(asker: Principal, tx: ReadTx, filters: Array<Filter | undefined>) {
  requireSeen(asker, await listNamed(tx, filters))
}

/** The filters of the segments that these filters name. */
async function listNamed(tx: ReadTx, filters: Array<Filter | undefined>): Promise<Array<{ filter: Filter }>> {
  const named = filters.flatMap((filter) => (filter ? referencesIn(filter, '') : []))
  const ids = named.flatMap(({ kind, text }) => (kind === 'segment' ? (parseId('segment', text) ?? []) : []))
  return ids.length > 0 ? listFilters(tx, ids) : []
}
