import type { ExportedRows, ExportKey } from '../../../../platform/export-source.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { startCourtesy } from '../../../../platform/loop/turns.ts'
import * as parts from './parts.store.ts'
import type { RunRow } from './runs.store.ts'

// The ids of as many are read at once.
const MOST_SLICES = 10
const READ_AHEAD = 2

interface Slice {
  keys: ExportKey[]
  first: Promise<ExportedRows>
}

/**
 * The rows of a part as `read` reads them, in order. The database reads the next slices while one is written, of large
 * rows the first ones.
 */
export async function* readSlices(
  scope: Scope,
  row: RunRow,
  part: number,
  read: (keys: ExportKey[]) => Promise<ExportedRows>,
): AsyncGenerator<ExportedRows['rows']> {
  const ahead: Slice[] = []
  const giveWay = startCourtesy()
  const settled = () => Promise.allSettled(ahead.map(({ first }) => first))
  async function* whole({ keys, first }: Slice): AsyncGenerator<ExportedRows['rows']> {
    let { rows, done } = await first
    yield rows
    // Of large rows the database makes more than it gives, so it is not asked for many more.
    for (let left = keys.slice(done); left.length > 0; left = left.slice(done)) {
      await giveWay(settled)
      ;({ rows, done } = await read(left.slice(0, 2 * done)))
      yield rows
    }
  }
  for await (const keys of slicesOf(scope, row, part)) {
    const first = read(keys)
    // Awaited below, or never when the file fails.
    first.catch(() => {})
    ahead.push({ keys, first })
    if (ahead.length <= READ_AHEAD) continue
    yield* whole(ahead.shift() as Slice)
    await giveWay(settled)
  }
  for (const slice of ahead) yield* whole(slice)
}

async function* slicesOf(scope: Scope, { id }: RunRow, part: number): AsyncGenerator<ExportKey[]> {
  for (let after = 0; ; after += MOST_SLICES) {
    const slices = await scope.read((tx) => parts.listSlices(tx, id, part, { after, limit: MOST_SLICES }))
    yield* slices
    if (slices.length < MOST_SLICES) return
  }
}
