import { createHash } from 'node:crypto'
import { cacheOf, type Caches } from '../../../../platform/config/caches.ts'
import { createWorkThread } from '../../../../platform/loop/work-thread.ts'
import type { ChartTask } from './chart-worker.ts'
import type { Chart } from './charts.ts'

const thread = createWorkThread<ChartTask, string[]>(new URL('./chart-worker.ts', import.meta.url), {
  name: 'charts',
  mostMs: 20_000,
  memoryMb: 256,
  // A dashboard takes up to 0.2 s, and who comes last waits for all before.
  mostWaiting: 20,
})

const DRAWN = cacheOf<string, string[]>({
  maxSize: 32 * 1024 * 1024,
  sizeOf: (charts) => charts.reduce((sum, { length }) => sum + length, 1_000),
})
const drawing = new Map<string, Promise<string[]>>()

/**
 * Draws charts of a workspace as SVG on another thread. Those with the same figures are drawn once. @throws
 * WorkFailedError
 */
export async function drawCharts(of: string, caches: Caches, charts: Chart[]): Promise<string[]> {
  if (charts.length === 0) return []
  const key = createHash('sha256').update(JSON.stringify(charts)).digest('base64')
  const known = caches.of(DRAWN).get(key) ?? drawing.get(key)
  if (known) return known
  const drawn = thread.run({ charts, format: 'svg' }, of).finally(() => drawing.delete(key))
  drawing.set(key, drawn)
  caches.of(DRAWN).set(key, await drawn)
  return drawn
}

/** Draws charts as PNG in base64 likewise. They are for letters, so they are not kept. @throws WorkFailedError */
export async function drawPngs(of: string, charts: Chart[]): Promise<string[]> {
  return charts.length === 0 ? [] : thread.run({ charts, format: 'png' }, of)
}
