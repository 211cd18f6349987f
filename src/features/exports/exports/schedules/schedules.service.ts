import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../../http/routes/pagination.ts'
import { notFound, unprocessable, type Issue } from '../../../../http/problems/problem.ts'
import { isTimezone } from '../../../../platform/time-zones.ts'
import type { Among } from '../../../../platform/work/across-tenants.ts'
import { auditOf } from '../../../../platform/audit.ts'
import type { SystemTx, TenantTx } from '../../../../platform/database/database.ts'
import { dueBy, untilNoneIsDue, hasDue, listDueTenants } from '../../../../platform/work/due-tenants.ts'
import { formatId, newId, parseId, type Id } from '../../../../platform/ids.ts'
import { callerId, type PausedReason } from '../../../../platform/principal.ts'
import type { Scope, SystemScope } from '../../../../platform/scope.ts'
import type { SweepOptions } from '../../../../platform/work/sweeps.ts'
import { actAsMaker, stagePauseNotice } from '../../../access/api-keys/makers.service.ts'
import { readWorkspace } from '../../../access/workspaces/workspaces.service.ts'
import { accessOf, requireAccess } from '../definition/definition.service.ts'
import { createScheduledRun, readyTemplate, type ReadyTemplate } from '../runs/create.service.ts'
import { wantedOf, type TemplateRow } from '../templates/templates.service.ts'
import { findTemplate, lockTemplate } from '../templates/templates.store.ts'
import { nextTime } from '../../../../platform/work/cron.ts'
import { type CreateExportSchedule, ExportSchedule, type UpdateExportSchedule } from './schedules.schema.ts'
import * as store from './schedules.store.ts'

const audited = auditOf('exportSchedule', { schema: ExportSchedule })
type Presented = z.input<typeof ExportSchedule>

/**
 * The caller becomes its maker.
 * @throws Problem 403 for rows that the caller may not list; 422 for an unknown template, or an invalid cron time or
 * time zone.
 */
export async function createSchedule(scope: Scope, input: z.output<typeof CreateExportSchedule>): Promise<Presented> {
  return scope.tx(async (tx) => {
    const now = scope.clock.now()
    const timezone = input.timezone ?? (await readWorkspace(tx)).timezone
    const row: store.ScheduleRow = {
      id: newId('exportSchedule'),
      template_id: (await requireTemplate(scope, tx, input.template_id)).id,
      cron: input.cron,
      timezone,
      enabled: input.enabled,
      next_run_at: timeOf({ ...input, timezone }, now),
      last_run_id: null,
      maker: callerId(scope.principal),
      paused_reason: null,
      created_at: now,
      updated_at: now,
    }
    await store.insertSchedule(tx, row)
    audited(scope, tx, 'create', row.id, { after: present(row) })
    return present(row)
  })
}

export async function listSchedules(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const page = pageRequest(query)
  return presentPage(await scope.read((tx) => store.listSchedules(tx, page)), page, present)
}

/** @throws Problem 404. */
export async function getSchedule(scope: Scope, id: Id<'exportSchedule'>): Promise<Presented> {
  const row = await scope.read((tx) => store.findSchedule(tx, id))
  if (!row) throw notFound('exportSchedule')
  return present(row)
}

/**
 * A change of a schedule that is on makes the caller its maker, and ends a pause. Anybody who manages exports can turn
 * it off.
 * @throws Problem 404; 403 and 422 as above.
 */
export async function updateSchedule(
  scope: Scope,
  id: Id<'exportSchedule'>,
  { template_id, ...changes }: z.output<typeof UpdateExportSchedule>,
): Promise<Presented> {
  return scope.tx(async (tx) => {
    const before = await store.lockSchedule(tx, id)
    if (!before) throw notFound('exportSchedule')
    const now = scope.clock.now()
    const { cron = before.cron, timezone = before.timezone, enabled = before.enabled } = changes
    const isMoved =
      cron !== before.cron ||
      timezone !== before.timezone ||
      enabled !== before.enabled ||
      before.paused_reason !== null
    const templateId = template_id ?? formatId('exportTemplate', before.template_id)
    const after: store.ScheduleRow = {
      ...before,
      ...(enabled || template_id !== undefined
        ? { template_id: (await requireTemplate(scope, tx, templateId)).id }
        : {}),
      ...(enabled && { maker: callerId(scope.principal), paused_reason: null }),
      cron,
      timezone,
      enabled,
      next_run_at: isMoved ? timeOf({ cron, timezone, enabled }, now) : before.next_run_at,
      updated_at: now,
    }
    await store.updateSchedule(tx, after)
    audited(scope, tx, 'update', id, { before: present(before), after: present(after) })
    return present(after)
  })
}

export async function deleteSchedule(scope: Scope, id: Id<'exportSchedule'>): Promise<void> {
  await scope.tx(async (tx) => {
    if ((await store.deleteSchedule(tx, id)) === 0) throw notFound('exportSchedule')
    audited(scope, tx, 'delete', id)
  })
}

/** Starts the runs whose time has come. A time that was missed runs once, however often it came. */
export async function runSchedules(system: SystemScope, options: SweepOptions): Promise<number> {
  return untilNoneIsDue(
    options,
    (after) => listDueTenants(system, dueBy('export_schedules', 'next_run_at', system.clock.now()), after),
    async (tenantId) => Number(await runNext(system.tenant(tenantId, { type: 'system' }))),
  )
}

export function hasDueSchedules(tx: SystemTx, now: Date, among: Among): Promise<boolean> {
  return hasDue(tx, among, dueBy('export_schedules', 'next_run_at', now))
}

/** Whether one was due. Its columns are read between two transactions, because that may wait. */
async function runNext(scope: Scope): Promise<boolean> {
  let ready: ReadyTemplate | null = null
  for (;;) {
    const known = ready
    const found: boolean | TemplateRow = await scope.tx((tx) => runDue(scope, tx, known))
    if (typeof found === 'boolean') return found
    ready = await readyTemplate(scope, found)
  }
}

/** Whether one was due, or the template whose columns it needs. */
async function runDue(scope: Scope, tx: TenantTx, ready: ReadyTemplate | null): Promise<boolean | TemplateRow> {
  const now = scope.clock.now()
  const row = await store.lockDue(tx, now)
  if (!row?.next_run_at) return false
  const template = await findTemplate(tx, row.template_id)
  const next_run_at = nextTime(row, now) ?? null
  if (!template) {
    await store.updateSchedule(tx, { ...row, next_run_at })
    return true
  }
  const acting = await actAsMaker(scope, tx, row.maker, async (held) => [
    'exports.manage',
    ...(await accessOf(tx, { ...wantedOf(template), held })).demands,
  ])
  if ('pausedReason' in acting) {
    await pause(scope, tx, row, acting.pausedReason)
    return true
  }
  if (ready === null || !isDeepStrictEqual(ready.template, template)) return template
  const occasion = `${row.id}/${row.next_run_at.toISOString()}`
  const last_run_id = await createScheduledRun(scope, tx, ready, { held: acting.held, maker: row.maker, occasion })
  await store.updateSchedule(tx, { ...row, last_run_id, next_run_at })
  return true
}

async function pause(scope: Scope, tx: TenantTx, before: store.ScheduleRow, reason: PausedReason): Promise<void> {
  const after = { ...before, paused_reason: reason, next_run_at: null }
  await store.updateSchedule(tx, after)
  audited(scope, tx, 'pause', before.id, { before: present(before), after: present(after) })
  await stagePauseNotice(scope, tx, reason, {
    permission: 'exports.manage',
    kind: 'export_schedule_paused',
    name: `export schedule ${formatId('exportSchedule', before.id)}`,
    path: `/app/exports/${formatId('exportSchedule', before.id)}`,
  })
}

/** A deletion of the template waits for the lock, or is seen here. @throws Problem 403, 422. */
async function requireTemplate(scope: Scope, tx: TenantTx, text: string): Promise<TemplateRow> {
  const id = parseId('exportTemplate', text)
  const template = id && (await lockTemplate(tx, id))
  if (!template)
    throw unprocessable('unknown_template', [{ path: 'template_id', message: 'There is no such template.' }])
  await requireAccess(scope, tx, wantedOf(template))
  return template
}

function timeOf(
  { cron, timezone, enabled }: Pick<store.ScheduleRow, 'cron' | 'timezone' | 'enabled'>,
  now: Date,
): Date | null {
  const issues: Issue[] = []
  if (!isTimezone(timezone)) issues.push({ path: 'timezone', message: 'Use an IANA time zone, such as Europe/Berlin.' })
  const next = nextTime({ cron, timezone: issues.length > 0 ? 'UTC' : timezone }, now)
  if (next === undefined)
    issues.push({
      path: 'cron',
      message: 'Use five fields: minute, hour, day of the month, month, day of the week, such as 0 6 * * 1.',
    })
  else if (next === null)
    issues.push({ path: 'cron', message: 'This date never comes. Choose a day that the month has.' })
  if (issues.length > 0) throw unprocessable('invalid_schedule', issues)
  return enabled ? (next ?? null) : null
}

function present(row: store.ScheduleRow): Presented {
  return {
    id: formatId('exportSchedule', row.id),
    template_id: formatId('exportTemplate', row.template_id),
    cron: row.cron,
    timezone: row.timezone,
    enabled: row.enabled,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    last_run_id: row.last_run_id && formatId('exportRun', row.last_run_id),
    maker: row.maker,
    paused_reason: row.paused_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
