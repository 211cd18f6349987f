import type { z } from 'zod'
import { unprocessable } from '../../../../http/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import type { TenantTx } from '../../../../platform/database.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { formatId, newId, parseId, type Id } from '../../../../platform/ids.ts'
import type { Permission } from '../../../../platform/permissions.ts'
import type { Principal } from '../../../../platform/principal.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { SWEEPS } from '../../../../platform/sweeps.ts'
import { requireReferences } from '../../../outreach/segments/references.service.ts'
import { findRules } from '../../../programme/alerts/named-rules.service.ts'
import type { DefinitionRow } from '../definition/definition.ts'
import { readColumns, readDestination, readNewDefinition, showsOf, specIn } from '../definition/definition.service.ts'
import type { StoredDestination } from '../definition/destination.ts'
import { EXPORT_SOURCES } from '../definition/sources.service.ts'
import type { SourceName } from '../definition/sources.ts'
import { destinationOf, findTemplate, type TemplateRow } from '../templates/templates.service.ts'
import * as parts from './parts.store.ts'
import { presentRun } from './runs.service.ts'
import type { CreateExportRun, ExportRun } from './runs.schema.ts'
import * as store from './runs.store.ts'

const audited = auditOf('exportRun', { shows: ['source', 'format'] })

interface Order {
  templateId: Id<'exportTemplate'> | null
  source: SourceName
  definition: DefinitionRow
  destination: StoredDestination
  shows: Permission[]
  occasion: string | null
}

/** Accepts a run. @throws Problem 422 for an unknown template, or what a template may not have. */
export async function createRun(
  scope: Scope,
  input: z.output<typeof CreateExportRun>,
): Promise<z.input<typeof ExportRun>> {
  if (!('source' in input)) return scope.tx((tx) => createNamed(scope, tx, input.template_id))
  const destination = await readDestination(scope, input.destination)
  return scope.tx(async (tx) => {
    await requireReferences(tx, { filter: input.filter as Filter | null }, findRules)
    const definition = await readNewDefinition(scope, tx, input)
    const { source } = input
    const order = { templateId: null, source, definition, destination, shows: showsOf(scope), occasion: null }
    return presentRun(await accept(scope, tx, order))
  })
}

/** Accepts the run of a template's schedule. An occasion has one run. */
export async function createScheduledRun(
  scope: Scope,
  tx: TenantTx,
  template: TemplateRow,
  occasion: string,
): Promise<Id<'exportRun'>> {
  return (await accept(scope, tx, { ...orderOf(scope, template), shows: template.shows, occasion })).id
}

async function createNamed(scope: Scope, tx: TenantTx, text: string): Promise<z.input<typeof ExportRun>> {
  const id = parseId('exportTemplate', text)
  const template = id && (await findTemplate(tx, id))
  if (!template)
    throw unprocessable('unknown_template', [{ path: 'template_id', message: 'There is no such template.' }])
  // Who runs a template sees no more than its author, and no more than they may see themselves.
  const own = showsOf(scope)
  const shows = template.shows.filter((permission) => own.includes(permission))
  return presentRun(await accept(scope, tx, { ...orderOf(scope, template), shows, occasion: null }))
}

function orderOf(scope: Scope, template: TemplateRow): Omit<Order, 'shows' | 'occasion'> {
  const { id, source, definition } = template
  return { templateId: id, source, definition, destination: destinationOf(scope, template) }
}

/**
 * The rows are chosen here, by one statement of the transaction that answers 202, so they are those of one moment.
 * docs/exports.md, "One snapshot"
 */
async function accept(scope: Scope, tx: TenantTx, order: Order): Promise<store.RunRow> {
  const now = scope.clock.now()
  const { source, definition, shows } = order
  const id = newId('exportRun')
  const columns = await readColumns(scope, tx, source, definition)
  const keys = await EXPORT_SOURCES[source].select(scope, tx, specIn(scope, definition, { shows, snapshotAt: now }))
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
    created_by: nameOf(scope.principal),
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

function nameOf(principal: Principal): string | null {
  if (principal.type === 'user') return formatId('user', principal.id)
  return principal.type === 'api_key' ? formatId('apiKey', principal.id) : null
}
