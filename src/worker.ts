import { features } from './features.ts'
import { upkeep } from './http/upkeep.ts'
import type { Engine } from './platform/feature.ts'
import { createSweepMetrics } from './platform/work/sweep-metrics.ts'
import { createSweepRunner, SWEEPS } from './platform/work/sweeps.ts'
import type { Services } from './services.ts'

export interface Worker {
  /** Stops claiming, and waits for work in flight. */
  stop(): Promise<void>
}

/** Starts background work: engines on their wake topics, sweeps on their schedules. */
export async function startWorker(services: Services): Promise<Worker> {
  const runtime = {
    run: services.run,
    clock: services.clock,
    log: services.log,
    settings: services.settings,
    metrics: services.metrics,
  }
  const engines = new Map<string, Engine>()
  for (const feature of features) {
    for (const [topic, create] of Object.entries(feature.engines ?? {})) engines.set(topic, create(runtime))
  }
  const due = [...features, upkeep].flatMap((feature) => feature.sweeps ?? [])
  const sweeps = createSweepRunner(due, services, createSweepMetrics(services.metrics))
  await services.bus.listen({ ...Object.fromEntries(engines), [SWEEPS]: sweeps })
  for (const engine of engines.values()) engine.start()
  sweeps.start()
  return {
    async stop() {
      await Promise.all([sweeps.stop(), ...[...engines.values()].map((engine) => engine.stop())])
    },
  }
}
