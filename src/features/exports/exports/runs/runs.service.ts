import type { z } from 'zod'
import { pageRequest, presentPage } from '../../../../http/routes/pagination.ts'
import { conflict, notFound, Problem } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import type { ReadTx, TenantTx } from '../../../../platform/database/database.ts'
import { countIfAsked } from '../../../../platform/fields/counting.ts'
import { formatId, parseId, type Id } from '../../../../platform/ids.ts'
import { heldBy } from '../../../../platform/readers.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SWEEPS } from '../../../../platform/work/sweeps.ts'
import { requireHeld } from '../../../access/roles/permission-rules.ts'
import { presentDefinition } from '../definition/definition.ts'
import * as parts from './parts.store.ts'
import { GONE, UNFINISHED } from './run-status.ts'
import { type ExportManifest, ExportRun, type ExportRunList, type ExportRunQuery } from './runs.schema.ts'
import * as store from './runs.store.ts'

const audited = auditOf('exportRun', { schema: ExportRun })
type Presented = z.input<typeof ExportRun>
type Manifest = z.input<typeof ExportManifest>

export async function listRuns(
  scope: Scope,
  query: z.output<typeof ExportRunQuery>,
): Promise<z.input<typeof ExportRunList>> {
  const asked = pageRequest(query)
  const templateId = query.template_id === undefined ? undefined : parseId('exportTemplate', query.template_id)
  const held = heldBy(scope.principal)
  const chosen = { status: query.status, templateId, held }
  const { rows, page } = await scope.read((tx) => store.listRuns(tx, chosen, asked))
  return {
    ...presentPage(rows, page, presentRun),
    ...(await countIfAsked(scope, query, {
      table: 'export_runs',
      alias: 'r',
      matching: () => store.conditionOf(chosen),
      all: () => store.conditionOf({ held }),
    })),
  }
}

/** @throws Problem 404; 403 for rows that the caller may not list. */
export async function getRun(scope: Scope, id: Id<'exportRun'>): Promise<Presented> {
  return presentRun(await scope.read((tx) => requireRun(scope, tx, id)))
}

/** Ends a run on its way. Its files are removed. @throws Problem 404, 409. */
export async function cancelRun(scope: Scope, id: Id<'exportRun'>): Promise<Presented> {
  return scope.tx(async (tx) => {
    const row = await store.lockRun(tx, id)
    if (!row) throw notFound('exportRun')
    requireHeld(scope.principal, row.demands)
    if (row.status === 'cancelling' || row.status === 'cancelled') return presentRun(row)
    if (!UNFINISHED.includes(row.status))
      throw conflict('invalid_state', `This run is ${row.status}. It can only be cancelled before it is completed.`)
    const now = scope.clock.now()
    const after = { ...row, status: 'cancelling' as const, phase_started_at: now }
    await store.saveRun(tx, after, now)
    audited(scope, tx, 'cancel', id, { before: { status: row.status }, after: { status: after.status } })
    scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
    return presentRun(after)
  })
}

/** @throws Problem 404; 409 before it is completed; 410 once it is gone. */
export async function readManifest(scope: Scope, id: Id<'exportRun'>): Promise<Manifest> {
  return scope.tx(async (tx) => {
    const row = await requireCompleted(scope, tx, id)
    audited(scope, tx, 'download', id, { changes: [{ path: 'manifest' }] })
    return manifestOf(row, await parts.listParts(tx, id))
  })
}

export interface Download {
  name: string
  row: store.RunRow
  part: parts.PartRow
}

/** A part to download. @throws Problem as above; 404 past the end. */
export async function openPart(scope: Scope, id: Id<'exportRun'>, n: number): Promise<Download> {
  return scope.tx(async (tx) => {
    const row = await requireCompleted(scope, tx, id)
    const part = await parts.findPart(tx, id, n)
    if (!part) throw notFound('exportRun')
    audited(scope, tx, 'download', id, { changes: [{ path: 'part', to: n }] })
    return { name: nameOfPart(row, n), row, part }
  })
}

export function manifestOf(row: store.RunRow, all: parts.PartRow[]): Manifest {
  return {
    run_id: formatId('exportRun', row.id),
    source: row.source,
    format: row.format,
    snapshot_at: row.snapshot_at.toISOString(),
    schema: row.columns.map(({ field, header, type }) => ({ field, header, type })),
    rows: row.rows,
    parts: all.map(({ n, rows, bytes, sha256 }) => ({ n, name: nameOfPart(row, n), rows, bytes, sha256 })),
  }
}

export function nameOfPart({ source, format }: store.RunRow, n: number): string {
  return `${source}-${String(n).padStart(5, '0')}.${format}`
}

export function presentRun(row: store.RunRow): Presented {
  return {
    id: formatId('exportRun', row.id),
    template_id: row.template_id && formatId('exportTemplate', row.template_id),
    source: row.source,
    ...presentDefinition(row.definition),
    filter: row.definition.filter,
    status: row.status,
    phase_started_at: row.phase_started_at.toISOString(),
    snapshot_at: row.snapshot_at.toISOString(),
    progress: { rows: row.rows, parts: row.parts, total_rows: row.total_rows },
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    error: row.error,
    cleanup: row.cleanup,
  }
}

async function requireRun(scope: Scope, tx: ReadTx, id: Id<'exportRun'>): Promise<store.RunRow> {
  const row = await store.findRun(tx, id)
  if (!row) throw notFound('exportRun')
  requireHeld(scope.principal, row.demands)
  return row
}

async function requireCompleted(scope: Scope, tx: TenantTx, id: Id<'exportRun'>): Promise<store.RunRow> {
  const row = await requireRun(scope, tx, id)
  if (row.erased_at)
    throw new Problem(410, 'export_erased', {
      detail: 'This export held a person who was erased, so its files are gone. Start a new run.',
    })
  const isOver = row.expires_at !== null && row.expires_at <= scope.clock.now()
  if (GONE.includes(row.status) || isOver)
    throw new Problem(410, 'export_expired', { detail: 'This export has expired. Start a new run.' })
  if (row.status !== 'completed')
    throw conflict(
      'not_ready',
      UNFINISHED.includes(row.status)
        ? `The run is ${row.status}. Its files can be read when it is completed.`
        : `The run is ${row.status}, so it has no files. Start a new run.`,
    )
  return row
}
