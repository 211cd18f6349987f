import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../http/routes/pagination.ts'
import { conflict, notFound, Problem } from '../../../http/problems/problem.ts'
import { auditOf } from '../../../platform/audit.ts'
import { formatId, newId, type Id } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { SWEEPS } from '../../../platform/work/sweeps.ts'
import type { ReportRun } from './reports.schema.ts'
import * as store from './reports.store.ts'
import * as runs from './runs.store.ts'

const audited = auditOf('report')
type Presented = z.input<typeof ReportRun>
const STEPS = 2

/** Starts a run now. @throws Problem 404. */
export async function startRun(scope: Scope, id: Id<'report'>): Promise<Presented> {
  return scope.tx(async (tx) => {
    const report = await store.lockReport(tx, id)
    if (!report) throw notFound('report')
    const row = newRun(report, null, scope.clock.now())
    await runs.insertRun(tx, row)
    audited(scope, tx, 'run', id, { changes: [{ path: 'runs', to: formatId('reportRun', row.id) }] })
    scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return present(row)
  })
}

/** @throws Problem 404. */
export async function listRuns(
  scope: Scope,
  id: Id<'report'>,
  query: z.output<typeof PageQuery>,
): Promise<Page<Presented>> {
  const page = pageRequest(query)
  return scope.read(async (tx) => {
    if (!(await store.findReport(tx, id))) throw notFound('report')
    return presentPage(await runs.listRuns(tx, id, page), page, present)
  })
}

/** @throws Problem 404. */
export async function getRun(scope: Scope, id: Id<'report'>, runId: Id<'reportRun'>): Promise<Presented> {
  const row = await scope.read((tx) => runs.findRun(tx, id, runId))
  if (!row) throw notFound('reportRun')
  return present(row)
}

/** @throws Problem 404; 409 `not_ready` before the document is made. */
export async function readDocument(
  scope: Scope,
  id: Id<'report'>,
  runId: Id<'reportRun'>,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string; name: string }> {
  const row = await scope.read((tx) => runs.findRun(tx, id, runId))
  if (!row) throw notFound('reportRun')
  if (row.document === null && row.status === 'completed')
    throw new Problem(410, 'report_erased', {
      detail: 'The document named a person who was erased, so it is gone. Run the report again.',
    })
  if (row.document === null || row.document_type === null)
    throw conflict('not_ready', 'The document is not made yet. Read the run to see its progress.')
  const bytes = new Uint8Array(Buffer.from(scope.secrets.open(row.document, documentContext(runId)), 'base64'))
  return { bytes, type: row.document_type, name: `report-${row.created_at.toISOString().slice(0, 10)}.${row.format}` }
}

/** A sealed document opens only in its own row. */
export function documentContext(id: Id<'reportRun'>): string {
  return `report_runs:${id}`
}

export function newRun(report: store.ReportRow, scheduledFor: Date | null, now: Date): runs.RunRow {
  return {
    id: newId('reportRun'),
    report_id: report.id,
    scheduled_for: scheduledFor,
    status: 'waiting',
    steps_done: 0,
    recipients: report.recipients,
    format: report.format,
    error: null,
    attempts: 0,
    created_at: now,
    completed_at: null,
  }
}

function present(row: runs.RunRow): Presented {
  return {
    id: formatId('reportRun', row.id),
    report_id: formatId('report', row.report_id),
    status: row.status,
    progress: { done: row.steps_done, total: STEPS },
    scheduled_for: row.scheduled_for && row.scheduled_for.toISOString(),
    recipients: row.recipients.map((id) => formatId('user', id)),
    format: row.format,
    error: row.error,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at && row.completed_at.toISOString(),
  }
}
