import type { Sweep } from './sweeps.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'
import type { Settings, SystemScope } from './scope.ts'
import type { Wake } from './ports.ts'
import type { Registry } from 'prom-client'
import type { Retention } from './retention.ts'

/** A process-long worker with state of its own, such as the delivery engine. */
export interface Engine {
  start(): void
  wake(wake: Wake): void
  /** Stops claiming, lets what is in flight end, and gives back what is not. */
  stop(): Promise<void>
}

export interface Runtime {
  /** Runs one background step with ports of its own, disposed when it ends. */
  run<T>(work: (system: SystemScope) => Promise<T>): Promise<T>
  clock: Clock
  log: Log
  settings: Settings
  metrics: Registry
}

/** What one folder under `features/` plugs into the server. */
export interface Feature<Route = unknown> {
  name: string
  routes?: Route[]
  sweeps?: Sweep[]
  /** Its tables that grow by themselves, and which of its sweeps keeps each from growing without end. */
  retention?: Retention[]
  /** Registers what is read from the database whenever the process is asked for its metrics. */
  metrics?: (runtime: Pick<Runtime, 'run' | 'metrics'>) => void
  /** Workers of the wake topics that this feature owns, made when the process takes part in background work. */
  engines?: Record<string, (runtime: Runtime) => Engine>
}
