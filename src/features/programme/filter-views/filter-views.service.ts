import type { z } from 'zod'
import { pageRequest, presentPage, type Page } from '../../../http/routes/pagination.ts'
import { badRequest, forbidden, notFound, Problem } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { TenantTx } from '../../../platform/database/database.ts'
import type { Filter } from '../../../platform/filter/grammar.ts'
import { sortNames } from '../../../platform/fields/catalogue.ts'
import { listNamed } from '../../../platform/fields/lists.ts'
import { fieldOf } from '../../../platform/filter/entity.ts'
import { filterBody } from '../../../platform/filter/schema.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import { heldBy, permissionsToFilter, permissionToRead, seenBy } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { requireHeld } from '../../access/roles/permission-rules.ts'
import { requireReferences } from '../../outreach/segments/references.service.ts'
import {
  type CreateFilterView,
  FilterView,
  type FilterViewQuery,
  type UpdateFilterView,
} from './filter-views.schema.ts'
import * as store from './filter-views.store.ts'

const KEY_NEEDS: Permission = 'dashboards.manage'
const audited = auditOf('filterView', { schema: FilterView })
type Presented = z.input<typeof FilterView>

const LONGEST_VALUE = 200

/** The parameters of lists that a view keeps in place of a filter. */
const PARAMETERS: Partial<Record<store.FilterViewRow['entity'], string[]>> = {
  sends: ['status', 'channel', 'survey_id', 'invitation_id'],
  webhook_deliveries: ['status', 'webhook_id', 'event', 'survey_id', 'since', 'until'],
  audit: ['actor', 'action', 'target', 'outcome', 'since', 'until'],
}

/**
 * @throws Problem 403 for a key that may not act for its maker, 400 for a filter that its entity does not take, 422 for
 * an unknown name in it.
 */
export async function createFilterView(scope: Scope, input: z.output<typeof CreateFilterView>): Promise<Presented> {
  const ownerId = requirePerson(scope)
  const { is_default: isDefault, ...content } = input
  checkFilter(scope, content.entity, content.filter)
  checkColumns(content.entity, content)
  const now = scope.clock.now()
  const row = { id: newId('filterView'), owner_id: ownerId, ...content, created_at: now, updated_at: now }
  return scope.tx(async (tx) => {
    await requireKnown(scope, tx, content.filter)
    await store.insertView(tx, row)
    await chooseDefault(scope, tx, row, isDefault)
    const made = present(scope, row, isDefault)
    audited(scope, tx, 'create', row.id, { after: made })
    return made
  })
}

/**
 * The caller's own views, and the shared ones of lists that they may read. A page may end before its limit, because of
 * large filters or of such lists; its cursor goes on.
 */
export async function listFilterViews(scope: Scope, query: z.output<typeof FilterViewQuery>): Promise<Page<Presented>> {
  const userId = personOf(scope)
  return scope.read(async (tx) => {
    const defaults = await store.listDefaults(tx, userId)
    const { rows, page } = await store.listViews(tx, { userId, entity: query.entity }, pageRequest(query))
    const readable = rows.filter((row) => isReadable(scope, row))
    // A page of which nothing may be read leads on after what it had.
    const shown = { ...page, removed: rows.at(-1) ?? page.removed }
    return presentPage(readable, shown, (row) => present(scope, row, defaults.has(row.id)))
  })
}

/** @throws Problem 404, also for somebody else's private view. */
export async function getFilterView(scope: Scope, id: Id<'filterView'>): Promise<Presented> {
  const userId = personOf(scope)
  return scope.read(async (tx) => {
    const row = await store.findView(tx, id, userId)
    if (!row || !isReadable(scope, row)) throw notFound('filterView')
    return present(scope, row, (await store.listDefaults(tx, userId)).has(id))
  })
}

/** Others may only make a shared view their default. @throws Problem 404, 403 as above or `not_owner`, 400. */
export async function updateFilterView(
  scope: Scope,
  id: Id<'filterView'>,
  { is_default: isDefault, ...input }: z.output<typeof UpdateFilterView>,
): Promise<Presented> {
  const userId = requirePerson(scope)
  return scope.tx(async (tx) => {
    const before = await store.lockView(tx, id, userId)
    if (!before || !isReadable(scope, before)) throw notFound('filterView')
    const wasDefault = (await store.listDefaults(tx, userId)).has(id)
    const after: store.FilterViewRow = {
      ...before,
      name: input.name ?? before.name,
      filter: input.filter ?? before.filter,
      columns: input.columns ?? before.columns,
      sort: input.sort === undefined ? before.sort : input.sort,
      visibility: input.visibility ?? before.visibility,
      updated_at: scope.clock.now(),
    }
    if (Object.keys(input).length > 0) {
      requireOwner(scope, before)
      if (input.filter) checkFilter(scope, after.entity, after.filter)
      checkColumns(after.entity, input)
      if (input.filter) await requireKnown(scope, tx, input.filter)
      await store.updateView(tx, after)
    }
    if (isDefault !== undefined) await chooseDefault(scope, tx, after, isDefault)
    const shown = present(scope, after, isDefault ?? wasDefault)
    audited(scope, tx, 'update', id, { before: present(scope, before, wasDefault), after: shown })
    return shown
  })
}

/** @throws Problem 404, 403 as above or `not_owner`. */
export async function deleteFilterView(scope: Scope, id: Id<'filterView'>): Promise<void> {
  const userId = requirePerson(scope)
  await scope.tx(async (tx) => {
    const row = await store.lockView(tx, id, userId)
    if (!row || !isReadable(scope, row)) throw notFound('filterView')
    requireOwner(scope, row)
    await store.deleteView(tx, id)
    audited(scope, tx, 'delete', id)
  })
}

async function chooseDefault(scope: Scope, tx: TenantTx, row: store.FilterViewRow, isDefault: boolean): Promise<void> {
  const userId = requirePerson(scope)
  if (isDefault) await store.setDefault(tx, userId, row)
  else await store.unsetDefault(tx, userId, row.id)
}

function requireOwner(scope: Scope, { owner_id: ownerId }: store.FilterViewRow): void {
  if (ownerId === personOf(scope)) return
  throw new Problem(403, 'not_owner', { detail: 'Only the owner can change this view. Make one of your own.' })
}

/** A key that manages views acts for the member who made it. Null for another one, which sees the shared views. */
function personOf({ principal }: Scope): Id<'user'> | null {
  if (principal.type === 'user') return principal.id
  return principal.type === 'api_key' && principal.permissions.has(KEY_NEEDS) ? principal.makerId : null
}

/** @throws Problem 403 for a key that may not act for its maker. */
function requirePerson(scope: Scope): Id<'user'> {
  const userId = personOf(scope)
  if (userId === null) throw forbidden(KEY_NEEDS)
  return userId
}

/** @throws Problem 400; 403 for a filter by what the list hides from the caller. */
function checkFilter(scope: Scope, entity: store.FilterViewRow['entity'], filter: Record<string, unknown>): void {
  const parameters = PARAMETERS[entity]
  if (parameters && !isGrammar(filter)) {
    const isParameter = ([name, value]: [string, unknown]) =>
      parameters.includes(name) && typeof value === 'string' && value.length <= LONGEST_VALUE
    if (!Object.entries(filter).every(isParameter)) {
      const message = `Use texts of at most ${LONGEST_VALUE} characters for ${parameters.join(', ')}.`
      throw badRequest([{ path: 'filter', message }])
    }
    return
  }
  const checked = filterBody(entity).safeParse(filter)
  if (checked.success) return requireHeld(scope.principal, permissionsToFilter(entity, filter as unknown as Filter))
  throw badRequest(
    checked.error.issues.map(({ path, message }) => ({ path: ['filter', ...path].map(String).join('.'), message })),
  )
}

/** A column is a member of the rows, or a field that filters know. @throws Problem 400. */
function checkColumns(
  entity: store.FilterViewRow['entity'],
  { columns = [], sort }: { columns?: string[] | undefined; sort?: string | null | undefined },
): void {
  const { members } = listNamed(entity)
  const isUnknown = (name: string) => !members.includes(name) && !fieldOf(entity, name)
  const paths = columns.flatMap((name, at) => (isUnknown(name) ? [`columns.${at}`] : []))
  const message = `Use a column of ${entity}: ${members.join(', ')}, or a field of its filters.`
  const issues = paths.map((path) => ({ path, message }))
  const orders = sortNames(entity)
  if (sort && !orders.includes(sort.replace(/^-/, '')))
    issues.push({ path: 'sort', message: `Use one of ${orders.join(', ')}, or one with - before it.` })
  if (issues.length > 0) throw badRequest(issues)
}

/** Whether it is a filter with tests, and no parameters of a list. */
function isGrammar(filter: Record<string, unknown>): boolean {
  return ['all', 'any', 'not'].some((name) => Object.hasOwn(filter, name))
}

/** @throws Problem 422 for an unknown name in the filter. */
async function requireKnown({ principal }: Scope, tx: TenantTx, filter: Record<string, unknown>): Promise<void> {
  if (isGrammar(filter)) await requireReferences(principal, tx, { filter: filter as unknown as Filter })
}

/** Whether the view is the caller's own, or of a list that they may read. */
function isReadable(scope: Scope, { owner_id: ownerId, entity }: store.FilterViewRow): boolean {
  const needed = permissionToRead(entity)
  return (
    needed === undefined || heldBy(scope.principal).has(needed) || (ownerId !== null && ownerId === personOf(scope))
  )
}

function present(scope: Scope, row: store.FilterViewRow, isDefault: boolean): Presented {
  const filter = row.filter as unknown as Filter
  return {
    id: formatId('filterView', row.id),
    name: row.name,
    entity: row.entity,
    filter: isGrammar(row.filter) ? { ...seenBy(scope.principal, row.entity, filter) } : row.filter,
    columns: row.columns,
    sort: row.sort,
    visibility: row.visibility,
    is_default: isDefault,
    owner_id: row.owner_id && formatId('user', row.owner_id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
