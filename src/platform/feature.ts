import type { Sweep } from './work/sweeps.ts'
import type { Clock } from './loop/clock.ts'
import type { Log } from './config/log.ts'
import type { Settings, SystemScope } from './scope.ts'
import type { Wake } from './ports/ports.ts'
import type { Registry } from 'prom-client'
import type { Retention } from './work/retention.ts'
import type { EntityName, Fields, Guard } from './filter/entity.ts'
import type { Declared } from './fields/entity.ts'
import type { Parts } from './fields/parts.ts'
import type { ListName } from './readers.ts'
import type { PersonalData } from './personal.ts'
import type { Listener } from './work/listeners.ts'

/** A worker with its own state that lives as long as the process, such as the delivery engine. */
export interface Engine {
  start(): void
  wake(wake: Wake): void
  /** Stops claiming, finishes work in flight, and releases the rest. */
  stop(): Promise<void>
}

export interface Runtime {
  /** Runs one background step with its own ports, and disposes them at its end. */
  run<T>(work: (system: SystemScope) => Promise<T>): Promise<T>
  clock: Clock
  log: Log
  settings: Settings
  metrics: Registry
}

/** The parts that one folder under `features/` adds to the server. */
export interface Feature<Route = unknown> {
  name: string
  routes?: Route[]
  sweeps?: Sweep[]
  /** The tables of the feature that grow, and the sweep that limits each. */
  retention?: Retention[]
  /** The entities of the feature: each field with its column, and everything that the server does with it. */
  entities?: Partial<Record<ListName, Declared>>
  /** Fields that filters on other features' entities may test. */
  fields?: Partial<Record<EntityName, Fields>>
  /** Rows that filters hide from every reader. */
  guards?: Partial<Record<EntityName, Guard>>
  /** The parts that other features show without knowing this one. */
  parts?: Parts
  /** The personal data of the feature, for requests of people about their data. */
  personal?: PersonalData
  /** Work that the feature adds to the transactions of features above it. */
  listeners?: Listener[]
  /** Registers values that are read from the database whenever somebody asks for metrics. */
  metrics?: (runtime: Pick<Runtime, 'run' | 'metrics'>) => void
  /** Workers for this feature's wake topics. A process with background work creates them. */
  engines?: Record<string, (runtime: Runtime) => Engine>
}
