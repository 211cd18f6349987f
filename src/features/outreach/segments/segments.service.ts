import type { z } from 'zod'
import { pageRequest, presentPage } from '../../../http/routes/pagination.ts'
import { notFound, Problem, requireUnchanged } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { ReadTx } from '../../../platform/database/database.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { countIfAsked, EVERY } from '../../../platform/fields/counting.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import { permissionsToFilter, seenBy } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { previewPeople } from '../people/people.service.ts'
import {
  type CreateSegment,
  Segment,
  type SegmentList,
  type SegmentPreview,
  type SegmentQuery,
  type UpdateSegment,
} from './segments.schema.ts'
import { requireReferences } from './references.service.ts'
import * as store from './segments.store.ts'

export { findSegment } from './segments.store.ts'

const audited = auditOf('segment', { schema: Segment })
type Presented = z.input<typeof Segment>

/** Something that names a segment, so that the segment cannot be deleted. */
export interface SegmentUse {
  type: string
  id: string
  name: string
}

/** Lists what a feature has that names a segment. */
export type SegmentUses = (scope: Scope, tx: ReadTx, id: Id<'segment'>) => Promise<SegmentUse[]>

/**
 * @throws Problem 403 for a filter by what is masked for the caller; 422 for a survey that it names and that is none.
 */
export async function createSegment(scope: Scope, body: z.output<typeof CreateSegment>): Promise<Presented> {
  requireFilterable(scope, body.filter)
  const now = scope.clock.now()
  const row = { id: newId('segment'), ...body, created_at: now, updated_at: now }
  await scope.tx(async (tx) => {
    await requireReferences(scope.principal, tx, { filter: body.filter })
    await store.insertSegment(tx, row)
    audited(scope, tx, 'create', row.id, { after: present(scope, row) })
  })
  return present(scope, row)
}

export async function listSegments(
  scope: Scope,
  query: z.output<typeof SegmentQuery>,
): Promise<z.input<typeof SegmentList>> {
  const page = pageRequest(query)
  const found = await scope.read((tx) => store.listSegments(tx, page))
  const every = { table: 'segments', alias: 's', matching: () => EVERY, all: () => EVERY }
  return {
    ...presentPage(found.rows, found.page, (row) => present(scope, row)),
    ...(await countIfAsked(scope, query, every)),
  }
}

/** @throws Problem 404. */
export async function getSegment(scope: Scope, id: Id<'segment'>): Promise<Presented> {
  return present(scope, await scope.read((tx) => requireSegment(tx, id)))
}

/** @throws Problem 404; 412 `stale`; 403 and 422 as above. */
export async function updateSegment(
  scope: Scope,
  id: Id<'segment'>,
  body: z.output<typeof UpdateSegment>,
  ifMatch?: string,
): Promise<Presented> {
  requireFilterable(scope, body.filter)
  return scope.tx(async (tx) => {
    const before = await store.lockSegment(tx, id)
    if (!before) throw notFound('segment')
    requireUnchanged(ifMatch, present(scope, before))
    await requireReferences(scope.principal, tx, { filter: body.filter })
    const after = {
      ...before,
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      filter: body.filter ?? before.filter,
      updated_at: scope.clock.now(),
    }
    await store.updateSegment(tx, after)
    audited(scope, tx, 'update', id, { before: present(scope, before), after: present(scope, after) })
    return present(scope, after)
  })
}

/** @throws Problem 404; 412 `stale`; 409 `in_use` with `used_by`. */
export async function deleteSegment(
  scope: Scope,
  id: Id<'segment'>,
  uses: SegmentUses[],
  ifMatch?: string,
): Promise<void> {
  await scope.tx(async (tx) => {
    // An invitation of the segment takes the same lock, so it is either seen here or finds no segment.
    await lockWorkspace(tx)
    const row = await store.lockSegment(tx, id)
    if (!row) throw notFound('segment')
    requireUnchanged(ifMatch, present(scope, row))
    const usedBy: SegmentUse[] = []
    for (const list of uses) usedBy.push(...(await list(scope, tx, id)))
    if (usedBy.length > 0)
      throw new Problem(409, 'in_use', {
        detail: 'Something still uses this segment. `used_by` lists it.',
        extra: { used_by: usedBy },
      })
    await store.deleteSegment(tx, id)
    audited(scope, tx, 'delete', id)
  })
}

/** @throws Problem 403, 422 as above. */
export async function previewFilter(scope: Scope, filter: Filter): Promise<z.input<typeof SegmentPreview>> {
  requireFilterable(scope, filter)
  return scope.read(async (tx) => {
    await requireReferences(scope.principal, tx, { filter })
    return previewPeople(scope, tx, filter)
  })
}

/** @throws Problem 404; 403 as above. */
export async function previewSegment(scope: Scope, id: Id<'segment'>): Promise<z.input<typeof SegmentPreview>> {
  return scope.read(async (tx) => {
    const { filter } = await requireSegment(tx, id)
    requireFilterable(scope, filter)
    return previewPeople(scope, tx, filter)
  })
}

/** A count of people by an attribute shows what they have. */
function requireFilterable(scope: Scope, filter: Filter | undefined): void {
  requireHeld(scope.principal, permissionsToFilter('people', filter))
}

async function requireSegment(tx: ReadTx, id: Id<'segment'>): Promise<store.SegmentRow> {
  const row = await store.findSegment(tx, id)
  if (!row) throw notFound('segment')
  return row
}

function present({ principal }: Scope, row: store.SegmentRow): Presented {
  return {
    id: formatId('segment', row.id),
    name: row.name,
    description: row.description,
    filter: seenBy(principal, 'people', row.filter),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
