import type { TenantTx } from './database.ts'
import type { Scope } from './scope.ts'

/** Something that happens in a transaction. Features on lower floors listen to it, and `features.ts` connects them. */
export interface Signal<Told> {
  readonly name: string
  /** Never set. It only carries the type. */
  readonly told?: Told
}

/** What a listener writes commits with the cause. */
export interface Ear<Told> {
  hear(told: Told): Promise<void>
}

export interface Listener {
  signal: Signal<unknown>
  /** Reads what it needs before anything is told, beside the other reads of the transaction. */
  listen(scope: Scope, tx: TenantTx): Promise<Ear<unknown>>
}

export interface Signals {
  /** Prepares the listeners of a signal. */
  listen<Told>(signal: Signal<Told>, scope: Scope, tx: TenantTx): Promise<Ear<Told>>
}

export function signalOf<Told>(name: string): Signal<Told> {
  return { name }
}

export function listenTo<Told>(
  signal: Signal<Told>,
  listen: (scope: Scope, tx: TenantTx) => Promise<Ear<Told>>,
): Listener {
  return { signal, listen }
}

export function createSignals(listeners: Listener[]): Signals {
  return {
    async listen<Told>(signal: Signal<Told>, scope: Scope, tx: TenantTx): Promise<Ear<Told>> {
      const own = listeners.filter((listener) => listener.signal === signal)
      const ears = await Promise.all(own.map((listener) => listener.listen(scope, tx)))
      return {
        async hear(told) {
          for (const ear of ears) await ear.hear(told)
        },
      }
    },
  }
}
