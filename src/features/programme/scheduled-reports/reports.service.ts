import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { notFound, unprocessable, requireUnchanged } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../platform/database/database.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import { callerId } from '../../../platform/principal.ts'
import type { Scope } from '../../../platform/scope.ts'
import { actAsMaker, stagePauseNotice } from '../../access/api-keys/makers.service.ts'
import { requireMembers } from '../../access/members/membership.service.ts'
import { lockWorkspace } from '../../access/workspaces/workspaces.service.ts'
import { hasDashboard } from '../dashboards/dashboards.service.ts'
import { type CreateReport, DashboardReport, type UpdateReport } from './reports.schema.ts'
import * as store from './reports.store.ts'
import { forgetContactsOfRuns } from './personal.service.ts'
import * as runs from './runs.store.ts'
import { nextTime } from '../../../platform/work/cron.ts'

const audited = auditOf('report', { schema: DashboardReport })
type Presented = z.input<typeof DashboardReport>
type Input = z.output<typeof CreateReport>

/** @throws Problem 422 for an unknown dashboard or member. */
export async function createReport(scope: Scope, input: Input): Promise<Presented> {
  return scope.tx(async (tx) => {
    const now = scope.clock.now()
    const fresh = { id: newId('report'), created_at: now, recipients: [], maker: null, paused_reason: null }
    const row = await rowOf(scope, tx, input, fresh)
    await store.insertReport(tx, row)
    audited(scope, tx, 'create', row.id, { after: present(row) })
    return present(row)
  })
}

export async function listReports(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const page = pageRequest(query)
  return presentPage(await scope.read((tx) => store.listReports(tx, page)), page, present)
}

/** @throws Problem 404. */
export async function getReport(scope: Scope, id: Id<'report'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findReport(tx, id))
  if (!row) throw notFound('report')
  return present(row)
}

/** @throws Problem 404, 412 `stale`, 422 as above. */
export async function updateReport(
  scope: Scope,
  id: Id<'report'>,
  input: z.output<typeof UpdateReport>,
  ifMatch?: string,
): Promise<Presented> {
  return scope.tx(async (tx) => {
    const before = await store.lockReport(tx, id)
    if (!before) throw notFound('report')
    requireUnchanged(ifMatch, present(before))
    const { schedule, ...shown } = present(before)
    const made = await rowOf(scope, tx, { ...shown, schedule, ...input }, before)
    // A time that has come already is not forgotten by a change of something else.
    const isSameTime = input.schedule === undefined && input.enabled === undefined && before.paused_reason === null
    const row = isSameTime ? { ...made, next_at: before.next_at } : made
    await store.updateReport(tx, row)
    audited(scope, tx, 'update', id, { before: present(before), after: present(row) })
    return present(row)
  })
}

/** Whether the maker of a due report may run it now. If not, it pauses, and those who can mend that are told. */
export async function mayRun(scope: Scope, tx: TenantTx, before: store.ReportRow): Promise<boolean> {
  const acting = await actAsMaker(scope, tx, before.maker, () => ['reports.manage'])
  if ('held' in acting) return true
  const after = { ...before, paused_reason: acting.pausedReason, next_at: null }
  await store.updateReport(tx, after)
  audited(scope, tx, 'pause', before.id, { before: present(before), after: present(after) })
  const id = formatId('report', before.id)
  await stagePauseNotice(scope, tx, acting.pausedReason, {
    permission: 'reports.manage',
    kind: 'report_paused',
    name: `report ${id}`,
    path: `/app/reports/${id}`,
  })
  return false
}

/** Its runs go with it. @throws Problem 404, 412 `stale`. */
export async function deleteReport(scope: Scope, id: Id<'report'>, ifMatch?: string): Promise<void> {
  await scope.tx(async (tx) => {
    const row = await store.lockReport(tx, id)
    if (!row) throw notFound('report')
    requireUnchanged(ifMatch, present(row))
    await store.deleteReport(tx, id)
    await forgetContactsOfRuns(tx, await runs.deleteRuns(tx, id))
    audited(scope, tx, 'delete', id)
  })
}

/** Reports of a dashboard. */
export async function listDashboardUses(tx: ReadTx, id: Id<'dashboard'>) {
  return (await store.listOfDashboard(tx, id)).map((row) => ({
    type: 'report',
    id: formatId('report', row.id),
    name: row.name,
  }))
}

async function rowOf(
  scope: Scope,
  tx: TenantTx,
  input: Input,
  {
    id,
    created_at,
    recipients: kept,
    ...acting
  }: Pick<store.ReportRow, 'id' | 'created_at' | 'recipients' | 'maker' | 'paused_reason'>,
): Promise<store.ReportRow> {
  // The deletion of a dashboard takes the same lock.
  await lockWorkspace(tx)
  const dashboardId = parseId('dashboard', input.dashboard_id)
  if (!dashboardId || !(await hasDashboard(scope, tx, dashboardId)))
    throw unprocessable('unknown_dashboard', [{ path: 'dashboard_id', message: 'There is no such dashboard.' }])
  const named = input.recipients.map((text, index) => [`recipients.${index}`, text] as const)
  const members = await requireMembers(tx, Object.fromEntries(named), kept)
  const now = scope.clock.now()
  return {
    id,
    name: input.name,
    dashboard_id: dashboardId,
    schedule: input.schedule,
    recipients: [...new Set(named.flatMap(([path]) => members.get(path) ?? []))],
    format: input.format,
    enabled: input.enabled,
    next_at: input.enabled && input.schedule ? (nextTime(input.schedule, now) ?? null) : null,
    maker: input.enabled ? callerId(scope.principal) : acting.maker,
    paused_reason: input.enabled ? null : acting.paused_reason,
    created_at,
    updated_at: now,
  }
}

function present(row: store.ReportRow): Presented & Pick<Input, 'schedule'> {
  return {
    id: formatId('report', row.id),
    name: row.name,
    dashboard_id: formatId('dashboard', row.dashboard_id),
    schedule: row.schedule,
    recipients: row.recipients.map((id) => formatId('user', id)),
    format: row.format,
    enabled: row.enabled,
    next_run_at: row.next_at && row.next_at.toISOString(),
    maker: row.maker,
    paused_reason: row.paused_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
