import type { ExportKey } from '../../../../platform/export-source.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { startCourtesy } from '../../../../platform/loop/turns.ts'
import * as parts from './parts.store.ts'
import type { RunRow } from './runs.store.ts'

// The ids of as many are read at once.
const MOST_SLICES = 10
const READ_AHEAD = 2

/** The slices of a part as `read` reads them, in order. The database reads the next ones while one is written. */
export async function* readSlices<Read>(
  scope: Scope,
  row: RunRow,
  part: number,
  read: (keys: ExportKey[]) => Promise<Read>,
): AsyncGenerator<Read> {
  const ahead: Array<Promise<Read>> = []
  const giveWay = startCourtesy()
  for await (const keys of slicesOf(scope, row, part)) {
    const reading = read(keys)
    // Awaited below, or never when the file fails.
    reading.catch(() => {})
    ahead.push(reading)
    if (ahead.length <= READ_AHEAD) continue
    yield await (ahead.shift() as Promise<Read>)
    await giveWay(() => Promise.allSettled(ahead))
  }
  for (const reading of ahead) yield await reading
}

async function* slicesOf(scope: Scope, { id }: RunRow, part: number): AsyncGenerator<ExportKey[]> {
  for (let after = 0; ; after += MOST_SLICES) {
    const slices = await scope.read((tx) => parts.listSlices(tx, id, part, { after, limit: MOST_SLICES }))
    yield* slices
    if (slices.length < MOST_SLICES) return
  }
}
