import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { pageRequest, presentPage, type Page, type PageQuery } from '../../../../http/routes/pagination.ts'
import { badRequest, notFound, Problem } from '../../../../http/problems/problem.ts'
import { auditOf } from '../../../../platform/audit.ts'
import type { ReadTx } from '../../../../platform/database/database.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { filteredAs } from '../../../../platform/fields/lists.ts'
import { formatId, newId, type Id } from '../../../../platform/ids.ts'
import { seenBy } from '../../../../platform/readers.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireReferences } from '../../../outreach/segments/references.service.ts'
import { presentDefinition, presentDestination, type StoredDestination } from '../definition/definition.ts'
import {
  readDestination,
  readNewDefinition,
  requireAccess,
  type NewDefinition,
} from '../definition/definition.service.ts'
import { CreateExportTemplate, ExportTemplate, type UpdateExportTemplate } from './templates.schema.ts'
import * as store from './templates.store.ts'

export type { TemplateRow } from './templates.store.ts'

const audited = auditOf('exportTemplate', { schema: ExportTemplate })
type Presented = z.input<typeof ExportTemplate>

/**
 * @throws Problem 403 for rows that the caller may not list; 422 for an unknown survey, field, name in the filter or
 * member, or a bucket that fails.
 */
export async function createTemplate(
  scope: Scope,
  { name, ...input }: z.output<typeof CreateExportTemplate>,
): Promise<Presented> {
  const wanted = { source: input.source, definition: { filter: input.filter as Filter | null } }
  const { shows } = await scope.read((tx) => requireAccess(scope, tx, wanted))
  const destination = await readDestination(scope, input.destination)
  const filter = input.filter as Filter | null
  await scope.read((tx) => requireReferences(scope.principal, tx, { filter }))
  const { definition } = await readNewDefinition(scope, input)
  return scope.tx(async (tx) => {
    await requireReferences(scope.principal, tx, { filter })
    const now = scope.clock.now()
    const id = newId('exportTemplate')
    const row: store.TemplateRow = {
      id,
      name,
      source: input.source,
      definition,
      destination: destination.type,
      sealed: sealDestination(scope, id, destination),
      shows,
      created_at: now,
      updated_at: now,
    }
    await store.insertTemplate(tx, row)
    audited(scope, tx, 'create', id, { after: present(scope, row) })
    return present(scope, row)
  })
}

export async function listTemplates(scope: Scope, query: z.output<typeof PageQuery>): Promise<Page<Presented>> {
  const { rows, page } = await scope.read((tx) => store.listTemplates(tx, pageRequest(query)))
  return presentPage(rows, page, (row) => present(scope, row))
}

/** @throws Problem 404. */
export async function getTemplate(scope: Scope, id: Id<'exportTemplate'>): Promise<Presented> {
  return present(scope, await scope.read((tx) => requireTemplate(tx, id)))
}

// Another request changed the template between two transactions.
class TemplateChanged extends Error {}

/** Runs that were accepted keep what they export. @throws Problem 400, 403, 404, 422 as above. */
export async function updateTemplate(
  scope: Scope,
  id: Id<'exportTemplate'>,
  { destination: given, ...changes }: z.output<typeof UpdateExportTemplate>,
): Promise<Presented> {
  await scope.read((tx) => requireReadable(scope, tx, id))
  const destination = given && (await readDestination(scope, given))
  for (;;)
    try {
      return await tryUpdate(scope, id, changes, destination)
    } catch (error) {
      if (!(error instanceof TemplateChanged)) throw error
    }
}

/** Reads the columns between two transactions, because that may wait. @throws TemplateChanged. */
async function tryUpdate(
  scope: Scope,
  id: Id<'exportTemplate'>,
  { name, ...changes }: Omit<z.output<typeof UpdateExportTemplate>, 'destination'>,
  destination: StoredDestination | undefined,
): Promise<Presented> {
  const requireAllowed = async (tx: ReadTx, { source, filter }: NewDefinition) => {
    const access = await requireAccess(scope, tx, { source, definition: { filter: filter as Filter | null } })
    if (changes.filter) await requireReferences(scope.principal, tx, { filter: changes.filter as Filter })
    return access
  }
  const seen = await scope.read(async (tx) => {
    const row = await requireTemplate(tx, id)
    const whole = withChanges(scope, row, changes)
    await requireAllowed(tx, whole)
    return { row, whole }
  })
  const { definition } = await readNewDefinition(scope, seen.whole)
  return scope.tx(async (tx) => {
    const before = await store.lockTemplate(tx, id)
    if (!before) throw notFound('exportTemplate')
    if (!isDeepStrictEqual(before.definition, seen.row.definition)) throw new TemplateChanged()
    const { shows } = await requireAllowed(tx, seen.whole)
    const after: store.TemplateRow = {
      ...before,
      name: name ?? before.name,
      definition,
      ...(destination && { destination: destination.type, sealed: sealDestination(scope, id, destination) }),
      shows,
      updated_at: scope.clock.now(),
    }
    await store.updateTemplate(tx, after)
    const shownAfter = present(scope, after)
    // A new destination may look like the old one.
    const replaced = destination ? { destination: null } : {}
    audited(scope, tx, 'update', id, { before: { ...present(scope, before), ...replaced }, after: shownAfter })
    return shownAfter
  })
}

/** @throws Problem 400. */
function withChanges(
  scope: Scope,
  before: store.TemplateRow,
  changes: Omit<z.output<typeof UpdateExportTemplate>, 'name' | 'destination'>,
): NewDefinition {
  const { destination: _, ...shown } = present(scope, before)
  const whole = CreateExportTemplate.safeParse({
    ...inputOf(shown),
    filter: before.definition.filter,
    ...changes,
    options: { ...before.definition.options, ...changes.options },
  })
  if (whole.success) return whole.data
  throw badRequest(whole.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
}

/** @throws Problem 403, 404; 409 `in_use` with `used_by`. */
export async function deleteTemplate(scope: Scope, id: Id<'exportTemplate'>): Promise<void> {
  await scope.tx(async (tx) => {
    await requireReadable(scope, tx, id)
    if (!(await store.lockTemplate(tx, id))) throw notFound('exportTemplate')
    const schedules = await store.listSchedulesOf(tx, id)
    const usedBy = schedules.map((each) => ({
      type: 'export_schedule',
      id: formatId('exportSchedule', each.id),
      name: each.cron,
    }))
    if (usedBy.length > 0)
      throw new Problem(409, 'in_use', {
        detail: 'A schedule still uses this template. `used_by` lists it.',
        extra: { used_by: usedBy },
      })
    await store.deleteTemplate(tx, id)
    audited(scope, tx, 'delete', id)
  })
}

/** The definition of a template, with the permissions of its author. */
export function wantedOf({ source, definition, shows }: store.TemplateRow) {
  return { source, definition, authorShows: shows }
}

export function destinationOf(scope: Scope, row: store.TemplateRow): StoredDestination {
  return JSON.parse(scope.secrets.open(row.sealed, sealContext(row.id))) as StoredDestination
}

/** The templates whose filter names a segment. */
export async function listTemplateUses(_scope: Scope, tx: ReadTx, id: Id<'segment'>) {
  const rows = await store.listMentioning(tx, formatId('segment', id))
  return rows.map((row) => ({ type: 'export_template', id: formatId('exportTemplate', row.id), name: row.name }))
}

async function requireTemplate(tx: ReadTx, id: Id<'exportTemplate'>): Promise<store.TemplateRow> {
  const row = await store.findTemplate(tx, id)
  if (!row) throw notFound('exportTemplate')
  return row
}

/** The source of a template whose rows the caller may list. @throws Problem 403, 404. */
async function requireReadable(
  scope: Scope,
  tx: ReadTx,
  id: Id<'exportTemplate'>,
): Promise<store.TemplateRow['source']> {
  const { source } = await requireTemplate(tx, id)
  await requireAccess(scope, tx, { source, definition: { filter: null } })
  return source
}

function sealDestination(scope: Scope, id: string, destination: StoredDestination): string {
  return scope.secrets.seal(JSON.stringify(destination), sealContext(id))
}

function sealContext(id: string): string {
  return `export_templates:${id}`
}

function inputOf({ id: _id, created_at: _created, updated_at: _updated, ...input }: Omit<Presented, 'destination'>) {
  return input
}

function present(scope: Scope, row: store.TemplateRow): Presented {
  const { filter } = row.definition
  return {
    id: formatId('exportTemplate', row.id),
    name: row.name,
    source: row.source,
    ...presentDefinition(row.definition),
    filter: filter && seenBy(scope.principal, filteredAs(row.source), filter as unknown as Filter),
    destination: presentDestination(destinationOf(scope, row)),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
