import type { TenantTx } from '../database/database.ts'
import type { Scope, Signals, Handler, Signal } from '../scope.ts'

export interface Listener {
  signal: Signal<unknown>
  /** Reads what it needs before the signal, beside the other reads of the transaction. */
  listen(scope: Scope, tx: TenantTx): Promise<Handler<unknown>>
}

export function listenTo<Payload>(
  signal: Signal<Payload>,
  listen: (scope: Scope, tx: TenantTx) => Promise<Handler<Payload>>,
): Listener {
  return { signal, listen }
}

export function createSignals(listeners: Listener[]): Signals {
  const signals: Signals = {
    async listen<Payload>(signal: Signal<Payload>, scope: Scope, tx: TenantTx): Promise<Handler<Payload>> {
      const own = listeners.filter((listener) => listener.signal === signal)
      const handlers = await Promise.all(own.map((listener) => listener.listen(scope, tx)))
      return {
        async handle(payload) {
          for (const handler of handlers) await handler.handle(payload)
        },
      }
    },
    async emit(signal, scope, tx, payload) {
      await (await signals.listen(signal, scope, tx)).handle(payload)
    },
  }
  return signals
}
