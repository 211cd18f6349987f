import type { z } from 'zod'
import { unprocessable } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import { exportOf } from '../../../../platform/fields/lists.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { newId, parseId, type Id } from '../../../../platform/ids.ts'
import type { Permission } from '../../../../platform/permissions.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SWEEPS } from '../../../../platform/work/sweeps.ts'
import { makerOf } from '../../../access/api-keys/makers.service.ts'
import { requireReferences } from '../../../outreach/segments/references.service.ts'
import type { DefinitionRow, StoredDestination, SourceName } from '../definition/definition.ts'
import {
  accessOf,
  readColumns,
  readDestination,
  readNewDefinition,
  requireAccess,
  type Access,
  specIn,
} from '../definition/definition.service.ts'
import { destinationOf, wantedOf, type TemplateRow } from '../templates/templates.service.ts'
import { findTemplate } from '../templates/templates.store.ts'
import * as parts from './parts.store.ts'
import { presentRun } from './runs.service.ts'
import { type CreateExportRun, ExportRun } from './runs.schema.ts'
import * as store from './runs.store.ts'

const audited = auditOf('exportRun', { schema: ExportRun })

interface Order {
  templateId: Id<'exportTemplate'> | null
  source: SourceName
  definition: DefinitionRow
  destination: StoredDestination
  access: Access
  occasion: string | null
}

/** Accepts a run. @throws Problem 403 for rows that the caller may not list, 422 as a template. */
export async function createRun(
  scope: Scope,
  input: z.output<typeof CreateExportRun>,
): Promise<z.input<typeof ExportRun>> {
  if (!('source' in input)) return scope.tx((tx) => createNamed(scope, tx, input.template_id))
  const { source } = input
  const wanted = { source, definition: { filter: input.filter as Filter | null } }
  const access = await scope.read((tx) => requireAccess(scope, tx, wanted))
  const destination = await readDestination(scope, input.destination)
  return scope.tx(async (tx) => {
    await requireReferences(scope.principal, tx, { filter: input.filter as Filter | null })
    const definition = await readNewDefinition(scope, tx, input)
    return presentRun(
      await accept(scope, tx, { templateId: null, source, definition, destination, access, occasion: null }),
    )
  })
}

/** Accepts the run of a template's schedule, for somebody with these permissions. An occasion has one run. */
export async function createScheduledRun(
  scope: Scope,
  tx: TenantTx,
  template: TemplateRow,
  { held, occasion }: { held: ReadonlySet<Permission>; occasion: string },
): Promise<Id<'exportRun'>> {
  const access = await accessOf(tx, { ...wantedOf(template), held })
  return (await accept(scope, tx, { ...orderOf(scope, template), access, occasion })).id
}

async function createNamed(scope: Scope, tx: TenantTx, text: string): Promise<z.input<typeof ExportRun>> {
  const id = parseId('exportTemplate', text)
  const template = id && (await findTemplate(tx, id))
  if (!template)
    throw unprocessable('unknown_template', [{ path: 'template_id', message: 'There is no such template.' }])
  const access = await requireAccess(scope, tx, wantedOf(template))
  return presentRun(await accept(scope, tx, { ...orderOf(scope, template), access, occasion: null }))
}

function orderOf(scope: Scope, template: TemplateRow): Omit<Order, 'access' | 'occasion'> {
  const { id, source, definition } = template
  return { templateId: id, source, definition, destination: destinationOf(scope, template) }
}

/**
 * The rows are chosen here, by one statement of the transaction that answers 202, so they are those of one moment.
 * docs/exports.md, "One snapshot"
 */
async function accept(scope: Scope, tx: TenantTx, order: Order): Promise<store.RunRow> {
  const now = scope.clock.now()
  const { source, definition } = order
  const { shows, demands } = order.access
  const id = newId('exportRun')
  const columns = await readColumns(scope, tx, source, definition)
  const keys = await exportOf(source).select(scope, tx, specIn(scope, definition, { shows, snapshotAt: now }))
  const chosen = await parts.insertSlices(tx, id, keys, definition.part_rows)
  const row: store.RunRow = {
    id,
    template_id: order.templateId,
    occasion: order.occasion,
    source,
    format: definition.format,
    definition,
    columns,
    shows,
    demands,
    destination: order.destination.type,
    sealed: scope.secrets.seal(JSON.stringify(order.destination), `export_runs:${id}`),
    status: 'queued',
    phase_started_at: now,
    snapshot_at: now,
    total_rows: chosen.rows,
    // A run without rows has one part, with the header.
    total_parts: Math.max(1, chosen.parts),
    rows: 0,
    parts: 0,
    created_by: makerOf(scope),
    created_at: now,
    completed_at: null,
    expires_at: null,
    erased_at: null,
    error: null,
    cleanup: null,
    failures: 0,
  }
  await store.insertRun(tx, row)
  audited(scope, tx, 'create', id, { after: { source, format: row.format } })
  scope.wakeAfter(tx, SWEEPS, { group: '', ids: [] })
  return row
}
