import { createHash, randomUUID } from 'node:crypto'
import type { ExportedRows, ExportKey, ExportLine } from '../../../../platform/export-source.ts'
import { exportOf } from '../../../../platform/fields/lists.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { specIn } from '../definition/definition.service.ts'
import { WRITERS } from '../formats/formats.ts'
import type * as parts from './parts.store.ts'
import type { RunRow } from './runs.store.ts'
import { readSlices } from './slices.service.ts'

/** Everything of a run is below this. */
export function prefixOf({ tenantId }: Scope, { id }: Pick<RunRow, 'id'>): string {
  return `exports/${tenantId}/${id}/`
}

/**
 * Writes the file of a part under a name of its own, so that a worker that lost the run never touches a part that
 * counts. The file counts when its row is committed.
 * @param alive is asked between slices. It throws when the run is lost.
 */
export async function buildPart(
  scope: Scope,
  row: RunRow,
  n: number,
  { alive, signal }: { alive(): Promise<void>; signal: AbortSignal },
): Promise<parts.PartRow> {
  const objectKey = `${prefixOf(scope, row)}${n}-${randomUUID()}`
  const counts = { rows: 0, held: 0, bytes: 0 }
  const hash = createHash('sha256')
  const { write } = WRITERS[row.format]
  async function* body(): AsyncGenerator<Uint8Array> {
    for await (const chunk of write(row.columns, linesOf(scope, row, n, alive, counts), row.definition.options)) {
      hash.update(chunk)
      counts.bytes += chunk.byteLength
      yield chunk
    }
  }
  await scope.ports.storage.put(objectKey, body(), signal)
  return { n, ...counts, sha256: hash.digest('hex'), object_key: objectKey, delivered_at: null }
}

async function* linesOf(
  scope: Scope,
  row: RunRow,
  part: number,
  alive: () => Promise<void>,
  counts: { rows: number; held: number },
): AsyncGenerator<Iterable<ExportLine>> {
  const source = exportOf(row.source)
  const spec = specIn(scope, row.definition, { shows: row.shows, snapshotAt: row.snapshot_at })
  const fields = row.columns.map(({ field }) => field)
  const read = (keys: ExportKey[]) => scope.read((tx) => source.read(scope, tx, keys, spec, fields))
  for await (const rows of readSlices(scope, row, part, read)) {
    await alive()
    yield counted(rows, counts)
  }
}

function* counted(rows: ExportedRows['rows'], counts: { rows: number; held: number }): Generator<ExportLine> {
  for (const lines of rows) {
    counts.held += 1
    for (const line of lines) {
      counts.rows += 1
      yield line
    }
  }
}
