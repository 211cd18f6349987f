import { createWorkThread } from '../../../platform/work-thread.ts'
import type { ChartTask } from './chart-worker.ts'
import type { Chart } from './charts.ts'

const thread = createWorkThread<ChartTask, string[]>(new URL('./chart-worker.ts', import.meta.url), {
  name: 'charts',
  mostMs: 20_000,
  memoryMb: 256,
})

/** Draws charts on another thread: SVG, or PNG in base64. @throws WorkFailedError */
export async function drawCharts(charts: Chart[], format: ChartTask['format']): Promise<string[]> {
  return charts.length === 0 ? [] : thread.run({ charts, format })
}
