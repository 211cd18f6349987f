import type { TenantTx } from '../database/database.ts'
import type { Scope, Signals } from '../scope.ts'
import type { Ear, Signal } from '../signals.ts'

export interface Listener {
  signal: Signal<unknown>
  /** Reads what it needs before anything is told, beside the other reads of the transaction. */
  listen(scope: Scope, tx: TenantTx): Promise<Ear<unknown>>
}

export function listenTo<Told>(
  signal: Signal<Told>,
  listen: (scope: Scope, tx: TenantTx) => Promise<Ear<Told>>,
): Listener {
  return { signal, listen }
}

export function createSignals(listeners: Listener[]): Signals {
  const signals: Signals = {
    async listen<Told>(signal: Signal<Told>, scope: Scope, tx: TenantTx): Promise<Ear<Told>> {
      const own = listeners.filter((listener) => listener.signal === signal)
      const ears = await Promise.all(own.map((listener) => listener.listen(scope, tx)))
      return {
        async hear(told) {
          for (const ear of ears) await ear.hear(told)
        },
      }
    },
    async emit(signal, scope, tx, told) {
      await (await signals.listen(signal, scope, tx)).hear(told)
    },
  }
  return signals
}
