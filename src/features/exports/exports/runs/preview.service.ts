import type { z } from 'zod'
import { unprocessable } from '../../../../http/problems/problem.ts'
import type { ExportLine } from '../../../../platform/export-source.ts'
import { exportOf } from '../../../../platform/fields/lists.ts'
import { countQuery } from '../../../../platform/fields/counting.ts'
import type { Filter } from '../../../../platform/filter/grammar.ts'
import { parseId } from '../../../../platform/ids.ts'
import { mapInSlices } from '../../../../platform/loop/turns.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { requireReferences } from '../../../outreach/segments/references.service.ts'
import { withDefinitions } from '../../../surveys/surveys/definitions.service.ts'
import type { DefinitionRow, NamedColumn, SourceName } from '../definition/definition.ts'
import { readColumns, readNewDefinition, requireAccess, type Access, specIn } from '../definition/definition.service.ts'
import { cellTexts } from '../formats/csv.ts'
import { wantedOf } from '../templates/templates.service.ts'
import { findTemplate } from '../templates/templates.store.ts'
import type { CreateExportRun, ExportPreview } from './runs.schema.ts'
import { listNewest } from './parts.store.ts'

const MOST_ROWS = 10

/**
 * The columns and the newest rows of a run as its file would have them now, and how many rows there are. Nothing is
 * stored. @throws Problem 403, 422 as a run.
 */
export async function previewRun(
  scope: Scope,
  input: z.output<typeof CreateExportRun>,
): Promise<z.input<typeof ExportPreview>> {
  const { source, definition, columns, access } = await readOrder(scope, input)
  const spec = specIn(scope, definition, { shows: access.shows })
  const exported = exportOf(source)
  const fields = columns.map(({ field }) => field)
  const keys = await scope.read(async (tx) => listNewest(tx, await exported.select(scope, tx, spec), MOST_ROWS))
  // Sources read in the order of the ids, so the newest comes last.
  const found: ExportLine[][] = []
  for (let left = keys.toReversed(); left.length > 0;)
    left = await withDefinitions(scope, async () => {
      const { rows, done } = await scope.read((tx) => exported.read(scope, tx, left, spec, fields))
      found.push(...(await mapInSlices(rows, (row) => [...firstOf(row)])))
      return left.slice(Math.max(1, done))
    })
  const lines = found.toReversed().flat().slice(0, MOST_ROWS)
  const rows: string[][] = []
  for (const line of lines) rows.push(await cellTexts(columns, line, definition))
  return {
    columns: columns.map(({ field, header, type }) => ({ field, header, type })),
    rows,
    count: await countQuery(scope, (tx) => exported.select(scope, tx, spec)),
  }
}

/** A row in the long form may have thousands of lines, and each is made when it is taken. */
function* firstOf(lines: Iterable<ExportLine>): Generator<ExportLine> {
  let left = MOST_ROWS
  for (const line of lines) {
    yield line
    if (--left === 0) return
  }
}

interface Order {
  source: SourceName
  definition: DefinitionRow
  columns: NamedColumn[]
  access: Access
}

async function readOrder(scope: Scope, input: z.output<typeof CreateExportRun>): Promise<Order> {
  if ('source' in input) {
    const { source } = input
    const filter = input.filter as Filter | null
    const access = await scope.read(async (tx) => {
      const required = await requireAccess(scope, tx, { source, definition: { filter } })
      await requireReferences(scope.principal, tx, { filter })
      return required
    })
    return { source, access, ...(await readNewDefinition(scope, input)) }
  }
  const id = parseId('exportTemplate', input.template_id)
  const { source, definition, access } = await scope.read(async (tx) => {
    const template = id && (await findTemplate(tx, id))
    if (!template)
      throw unprocessable('unknown_template', [{ path: 'template_id', message: 'There is no such template.' }])
    return { ...template, access: await requireAccess(scope, tx, wantedOf(template)) }
  })
  return { source, definition, access, columns: await readColumns(scope, source, definition) }
}
