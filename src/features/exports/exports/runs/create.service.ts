import type { z } from 'zod'
import { unprocessable } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import { exportOf } from '../../../../platform/fields/lists.ts'
import type { TenantTx } from '../../../../platform/database/database.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { newId, parseId, type Id } from '../../../../platform/ids.ts'
import type { Permission } from '../../../../platform/permissions.ts'
import { callerId } from '../../../../platform/principal.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SWEEPS } from '../../../../platform/work/sweeps.ts'
import { requireReferences } from '../../../outreach/segments/references.service.ts'
import type { DefinitionRow, NamedColumn, StoredDestination, SourceName } from '../definition/definition.ts'
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
  columns: NamedColumn[]
  destination: StoredDestination
  access: Access
  occasion: string | null
  maker: string | null
}

/** Accepts a run. @throws Problem 403 for rows that the caller may not list, 422 as a template. */
export async function createRun(
  scope: Scope,
  input: z.output<typeof CreateExportRun>,
): Promise<z.input<typeof ExportRun>> {
  if (!('source' in input)) return createNamed(scope, input.template_id)
  const { source } = input
  const wanted = { source, definition: { filter: input.filter as Filter | null } }
  const access = await scope.read((tx) => requireAccess(scope, tx, wanted))
  const destination = await readDestination(scope, input.destination)
  const filter = input.filter as Filter | null
  await scope.read((tx) => requireReferences(scope.principal, tx, { filter }))
  const order = { templateId: null, source, ...(await readNewDefinition(scope, input)), destination, access }
  return scope.tx(async (tx) => {
    await requireReferences(scope.principal, tx, { filter })
    return presentRun(await accept(scope, tx, { ...order, occasion: null, maker: callerId(scope.principal) }))
  })
}

/** A template with the columns that a run of it would have now. */
export interface ReadyTemplate {
  template: TemplateRow
  columns: NamedColumn[]
}

/** Call it outside of a transaction. @throws Problem 422. */
export async function readyTemplate(scope: Scope, template: TemplateRow): Promise<ReadyTemplate> {
  return { template, columns: await readColumns(scope, template.source, template.definition) }
}

/** Accepts the run of a template's schedule, for its maker with these permissions. An occasion has one run. */
export async function createScheduledRun(
  scope: Scope,
  tx: TenantTx,
  ready: ReadyTemplate,
  { held, ...order }: { held: ReadonlySet<Permission>; maker: string | null; occasion: string },
): Promise<Id<'exportRun'>> {
  const access = await accessOf(tx, { ...wantedOf(ready.template), held })
  return (await accept(scope, tx, { ...orderOf(scope, ready), ...order, access })).id
}

async function createNamed(scope: Scope, text: string): Promise<z.input<typeof ExportRun>> {
  const id = parseId('exportTemplate', text)
  const { template, access } = await scope.read(async (tx) => {
    const found = id && (await findTemplate(tx, id))
    if (!found)
      throw unprocessable('unknown_template', [{ path: 'template_id', message: 'There is no such template.' }])
    return { template: found, access: await requireAccess(scope, tx, wantedOf(found)) }
  })
  const order = orderOf(scope, await readyTemplate(scope, template))
  const maker = callerId(scope.principal)
  return presentRun(await scope.tx((tx) => accept(scope, tx, { ...order, access, occasion: null, maker })))
}

function orderOf(scope: Scope, { template, columns }: ReadyTemplate): Omit<Order, 'access' | 'occasion' | 'maker'> {
  const { id, source, definition } = template
  return { templateId: id, source, definition, columns, destination: destinationOf(scope, template) }
}

/**
 * The rows are chosen here, by one statement of the transaction that answers 202, so they are those of one moment.
 * docs/exports.md, "One snapshot"
 */
async function accept(scope: Scope, tx: TenantTx, order: Order): Promise<store.RunRow> {
  const now = scope.clock.now()
  const { source, definition, columns } = order
  const { shows, demands } = order.access
  const id = newId('exportRun')
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
    created_by: callerId(scope.principal),
    maker: order.maker,
    created_at: now,
    delivery_began_at: null,
    delivery_round: 1,
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
