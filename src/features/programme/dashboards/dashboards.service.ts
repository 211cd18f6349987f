import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { badRequest, conflict, notFound, Problem, requireUnchanged } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { isOutOfTime, type ReadTx, type TenantTx } from '../../../platform/database/database.ts'
import { unregister } from '../../../platform/database/directory.ts'
import { builtInWidgets, widgetOf } from '../../../platform/fields/parts.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Permission } from '../../../platform/permissions.ts'
import type { Principal } from '../../../platform/principal.ts'
import { heldBy, permissionToRead } from '../../../platform/readers.ts'
import type { Scope } from '../../../platform/scope.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import {
  permissionsToChoose,
  requireReferences,
  requireSeenSegments,
} from '../../outreach/segments/references.service.ts'
import { findSurveyIds } from '../../surveys/surveys/surveys.service.ts'
import { lastErasure } from '../../trust/data-protection/requests.service.ts'
import { beginning } from './built-in.ts'
import { MOST_MS, readData, readDataInTime, type Data } from './data.service.ts'
import {
  type CreateDashboard,
  Dashboard,
  type DashboardData,
  type DataQuery,
  type UpdateDashboard,
} from './dashboards.schema.ts'
import * as store from './dashboards.store.ts'
import { isAvailable, UNAVAILABLE, type Widget } from './query.ts'
import { askedBy, requireReadable } from './readable.service.ts'
import { readTogether } from './readings.ts'

const audited = auditOf('dashboard', { schema: Dashboard })
type Presented = z.input<typeof Dashboard>
type Input = z.output<typeof CreateDashboard>

/**
 * @throws Problem 422 for a survey or a name in a filter that the workspace does not have, 400 for a period that cannot
 * be read.
 */
export async function createDashboard(scope: Scope, input: Input): Promise<Presented> {
  await requireSurveys(scope, input.widgets)
  const now = scope.clock.now()
  const row = { id: newId('dashboard'), ...input, created_at: now, updated_at: now }
  return scope.tx(async (tx) => {
    await lockWorkspace(tx)
    await requireReadable(scope, tx, row, askedBy(row.widgets))
    await requireReferences(scope.principal, tx, filtersOf(input))
    await store.insertDashboard(tx, row)
    const made = present(scope, row, [])
    audited(scope, tx, 'create', row.id, { after: made })
    return made
  })
}

/** The newest first, and the built-in one last. A page of large dashboards may end before its limit. */
export async function listDashboards(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const asked = pageRequest(query)
  return scope.read(async (tx) => {
    const { rows, page } = await store.listDashboards(tx, asked)
    const builtIn = builtInOf(scope)
    if (
      !page.hasMore &&
      !rows.some(({ id }) => id === builtIn.id) &&
      (page.before === null || builtIn.id < page.before)
    )
      rows.push((await store.findDashboard(tx, builtIn.id)) ?? builtIn)
    const all = await store.listShares(
      tx,
      rows.map(({ id }) => id),
    )
    return presentPage(rows, page, (row) => present(scope, row, all))
  })
}

/** @throws Problem 404. */
export async function getDashboard(scope: Scope, id: Id<'dashboard'>): Promise<Presented> {
  return scope.read(async (tx) =>
    present(scope, await requireDashboard(scope, tx, id), await store.listShares(tx, [id])),
  )
}

/** @throws Problem 404, 412 `stale`, 422 as above, 400 for an unavailable widget that is not stored. */
export async function updateDashboard(
  scope: Scope,
  id: Id<'dashboard'>,
  input: z.output<typeof UpdateDashboard>,
  ifMatch?: string,
): Promise<Presented> {
  await requireSurveys(scope, input.widgets ?? [])
  return scope.tx(async (tx) => {
    await lockWorkspace(tx)
    const before = await lockDashboard(scope, tx, id)
    requireUnchanged(ifMatch, present(scope, before, []))
    const after: store.DashboardRow = {
      ...before,
      name: input.name ?? before.name,
      period: input.period ?? before.period,
      timezone: input.timezone ?? before.timezone,
      filter: input.filter ?? before.filter,
      widgets: input.widgets ? withStored(input.widgets, before.widgets) : before.widgets,
      updated_at: scope.clock.now(),
    }
    await requireReadable(scope, tx, after, askedBy(after.widgets))
    await requireReferences(scope.principal, tx, filtersOf(input))
    await store.updateDashboard(tx, after)
    const all = await store.listShares(tx, [id])
    audited(scope, tx, 'update', id, { before: present(scope, before, all), after: present(scope, after, all) })
    return present(scope, after, all)
  })
}

/** Unavailable widgets keep what is stored, so that nothing is lost if the server has it again. @throws Problem 400. */
function withStored(asked: Widget[], stored: Widget[]): Widget[] {
  return asked.map((widget, index) => {
    if (widget.kind !== UNAVAILABLE) return widget
    const kept = stored.find((each) => each.id === widget.id && !isAvailable(each))
    if (kept) return { ...widget, kind: kept.kind, query: kept.query }
    throw badRequest([
      { path: `widgets.${index}.kind`, message: 'Choose a kind. No stored widget of this id lacks one.' },
    ])
  })
}

/** Lists what a feature has that needs a dashboard. */
export type DashboardUses = (tx: ReadTx, id: Id<'dashboard'>) => Promise<DashboardUse[]>
interface DashboardUse {
  type: string
  id: string
  name: string
}

/** Its links stop working. @throws Problem 404; 412 `stale`; 409 `built_in`, or `in_use` with `used_by`. */
export async function deleteDashboard(
  scope: Scope,
  id: Id<'dashboard'>,
  usesOf: DashboardUses[],
  ifMatch?: string,
): Promise<void> {
  await scope.tx(async (tx) => {
    // A report takes the same lock, so it is either seen here or finds no dashboard.
    await lockWorkspace(tx)
    requireUnchanged(ifMatch, present(scope, await requireDashboard(scope, tx, id), []))
    const usedBy = (await Promise.all(usesOf.map((list) => list(tx, id)))).flat()
    if (usedBy.length > 0)
      throw new Problem(409, 'in_use', {
        detail: 'Something still uses this dashboard. `used_by` lists it.',
        extra: { used_by: usedBy },
      })
    if (id === builtInOf(scope).id)
      throw conflict('built_in', 'The workspace keeps its built-in dashboard. Change it instead.')
    await store.deleteDashboard(tx, id)
    await unregister(tx, store.DIRECTORY_KIND, await store.deleteShares(tx, id, null))
    audited(scope, tx, 'delete', id)
  })
}

/**
 * A widget about rows that the caller may not list says so. With a filter of the caller's own, a widget that chooses by
 * a segment of masked values says so too: both together would tell who is in the segment.
 * @throws Problem 404, 400 for a period that ends before it begins.
 */
export async function readDashboardData(
  scope: Scope,
  id: Id<'dashboard'>,
  { days, from, to, timezone, filter }: z.output<typeof DataQuery> = {},
): Promise<z.input<typeof DashboardData>> {
  const kept = await scope.read((tx) => requireDashboard(scope, tx, id))
  const dashboard = {
    ...kept,
    ...(days !== undefined && { period: { days } }),
    ...(from !== undefined && to !== undefined && { period: { from, to } }),
    ...(timezone !== undefined && { timezone }),
    ...(filter && { filter }),
  }
  if (kept.period !== dashboard.period || kept.timezone !== dashboard.timezone || filter)
    await scope.read((tx) => requireReadable(scope, tx, dashboard, askedBy(dashboard.widgets)))
  await scope.read((tx) => requireSeenSegments(scope.principal, tx, [filter]))
  const available = dashboard.widgets.filter(isAvailable)
  const refused = await scope.read((tx) => refusedOf(scope.principal, tx, available, filter !== undefined))
  const data = await readDataInTime(scope, {
    ...dashboard,
    widgets: available.filter((widget) => !refused.has(widget.id)),
  })
  const others = dashboard.widgets.filter((widget) => !isAvailable(widget)).map(({ id: of }) => [of, NOT_AVAILABLE])
  return { ...data, widgets: { ...data.widgets, ...Object.fromEntries(refused), ...Object.fromEntries(others) } }
}

const NOT_AVAILABLE = { error: { code: 'not_available' as const } }

/** The widgets that somebody may not read, each with the permission that they lack. */
async function refusedOf(reader: Principal, tx: ReadTx, widgets: Widget[], hasOwnFilter: boolean) {
  const held = heldBy(reader)
  const refused = new Map<string, { error: { code: 'forbidden'; permission: Permission } }>()
  for (const { id, query } of widgets) {
    const { source, filter, compare } = query
    const kept = hasOwnFilter ? [filter, typeof compare === 'object' ? compare : undefined] : []
    const needed = [permissionToRead(source) ?? []].flat()
    for (const one of kept) needed.push(...(await permissionsToChoose(tx, source, one)))
    const permission = needed.find((one) => !held.has(one))
    if (permission !== undefined) refused.set(id, { error: { code: 'forbidden', permission } })
  }
  return refused
}

/**
 * The part of a dashboard that may leave the workspace: no rows of single responses, no rare groups, and nothing of a
 * list that takes a permission, because readers have none. @throws Problem 404.
 */
export async function readPublicData(scope: Scope, id: Id<'dashboard'>): Promise<PublicData> {
  return readTogether(scope.caches, await publicKey(scope, id), async () => {
    const dashboard = await scope.read((tx) => requireDashboard(scope, tx, id))
    const widgets = dashboard.widgets.filter(
      (widget) => isAvailable(widget) && !widgetOf(widget.kind) && permissionToRead(widget.query.source) === undefined,
    )
    const data = await readData(scope, { ...dashboard, widgets }, { isPublic: true, mostMs: MOST_MS }).catch(asBusy)
    const layout = widgets.map(({ id: widgetId, kind, title, layout }) => ({ id: widgetId, kind, title, layout }))
    return { name: dashboard.name, layout, ...data }
  })
}

/**
 * The same for all who read one definition, which may have a megabyte: those who come at once read it once. Another one
 * after an erasure, so that nobody joins a reading that may have seen its person.
 */
export async function publicKey(scope: Scope, id: Id<'dashboard'>): Promise<string> {
  return scope.read(async (tx) => {
    const updatedAt = await store.findUpdatedAt(tx, id)
    return [scope.tenantId, id, updatedAt?.toISOString(), await lastErasure(tx)].join(' ')
  })
}

export type PublicData = Data & { name: string; layout: Array<Pick<Widget, 'id' | 'kind' | 'title' | 'layout'>> }

/** Readers without an account cannot mend a slow query. @throws Problem 503. */
function asBusy(error: unknown): never {
  if (!isOutOfTime(error)) throw error
  throw new Problem(503, 'busy', {
    detail: 'The figures of this dashboard take too long now. Try again in a minute.',
    retryAfter: 60,
  })
}

/** Dashboards that name a segment. */
export async function listSegmentUses(_scope: Scope, tx: ReadTx, id: Id<'segment'>) {
  return (await store.listNaming(tx, formatId('segment', id))).map((row) => ({
    type: 'dashboard',
    id: formatId('dashboard', row.id),
    name: row.name,
  }))
}

export async function hasDashboard(scope: Scope, tx: ReadTx, id: Id<'dashboard'>): Promise<boolean> {
  return id === builtInOf(scope).id || (await store.findDashboard(tx, id)) !== undefined
}

/** @throws Problem 404. */
async function requireDashboard(scope: Scope, tx: ReadTx, id: Id<'dashboard'>): Promise<store.DashboardRow> {
  const row = await store.findDashboard(tx, id)
  if (row) return row
  const builtIn = builtInOf(scope)
  if (id !== builtIn.id) throw notFound('dashboard')
  return builtIn
}

/** @throws Problem 404. */
export async function lockDashboard(scope: Scope, tx: TenantTx, id: Id<'dashboard'>): Promise<store.DashboardRow> {
  const builtIn = builtInOf(scope)
  if (id === builtIn.id) await store.insertDashboard(tx, builtIn)
  const row = await store.lockDashboard(tx, id)
  if (!row) throw notFound('dashboard')
  return row
}

// It has the id of its workspace, so it exists without a row.
function builtInOf({ tenantId }: Scope): store.DashboardRow {
  const made = new Date(Number.parseInt(tenantId.replaceAll('-', '').slice(0, 12), 16))
  return {
    id: tenantId as string as Id<'dashboard'>,
    ...beginning(builtInWidgets()),
    created_at: made,
    updated_at: made,
  }
}

async function requireSurveys(scope: Scope, widgets: Widget[]): Promise<void> {
  for (const [index, { query }] of widgets.entries())
    await findSurveyIds(scope, query.survey_ids ?? [], `widgets.${index}.query.survey_ids`)
}

/** The filters of a body by their paths. */
function filtersOf({ filter, widgets = [] }: z.output<typeof UpdateDashboard>) {
  const ofWidgets = widgets.flatMap(({ query: { compare, filter: own } }, index) => [
    [`widgets.${index}.query.filter`, own] as const,
    [`widgets.${index}.query.compare`, typeof compare === 'object' ? compare : undefined] as const,
  ])
  return { filter, ...Object.fromEntries(ofWidgets) }
}

function present(scope: Scope, row: store.DashboardRow, all: store.ShareRow[]): Presented {
  return {
    id: formatId('dashboard', row.id),
    name: row.name,
    period: row.period,
    timezone: row.timezone,
    filter: row.filter,
    widgets: row.widgets.map((widget) =>
      isAvailable(widget)
        ? widget
        : { ...widget, kind: UNAVAILABLE, query: { source: 'responses' as const, measure: 'count' as const } },
    ),
    built_in: row.id === builtInOf(scope).id,
    shares: all
      .filter((share) => share.dashboard_id === row.id)
      .map((share) => ({
        id: formatId('dashboardShare', share.id),
        has_password: share.password_hash !== null,
        expires_at: share.expires_at && share.expires_at.toISOString(),
        created_at: share.created_at.toISOString(),
      })),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
