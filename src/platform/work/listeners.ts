import type { TenantTx } from '../database/database.ts'
import type { Id } from '../ids.ts'
import { signalOf, type Scope, type Signals, type Handler, type Signal } from '../scope.ts'

export interface Listener {
  signal: Signal<unknown>
  /** Reads what it needs before the signal, beside the other reads of the transaction. */
  listen(scope: Scope, tx: TenantTx): Promise<Handler<unknown>>
}

/** A text with what was found in it. */
export interface ClassifiedText {
  responseId: Id<'response'>
  questionId: string
  surveyId: Id<'survey'>
  language: string
  sentiment: { label: 'negative' | 'neutral' | 'positive'; score: number }
  topicIds: string[]
}

export interface Classification {
  texts: ClassifiedText[]
  /** The completed responses whose texts can be searched from now on, also those without a classified one. */
  responses: Array<Id<'response'>>
}

/**
 * New texts, in the transaction that stores what was found in them. A text that changes is given again. It stands here,
 * so that alerts do not import the feature of texts, which can be deleted alone.
 */
export const CLASSIFIED = signalOf<Classification>('texts.classified')

export function listenTo<Payload>(
  signal: Signal<Payload>,
  listen: (scope: Scope, tx: TenantTx) => Promise<Handler<Payload>>,
): Listener {
  return { signal, listen }
}

const NO_LISTENER: Handler<unknown> = { handle: () => Promise.resolve() }

export function createSignals(listeners: Listener[]): Signals {
  const bySignal = Map.groupBy(listeners, ({ signal }) => signal)
  async function listen<Payload>(signal: Signal<Payload>, scope: Scope, tx: TenantTx): Promise<Handler<Payload>> {
    const own = bySignal.get(signal)
    if (!own) return NO_LISTENER
    const [only] = own
    if (only && own.length === 1) return only.listen(scope, tx)
    const handlers = await Promise.all(own.map((listener) => listener.listen(scope, tx)))
    return {
      async handle(payload) {
        for (const handler of handlers) await handler.handle(payload)
      },
    }
  }
  return {
    listen,
    async emit(signal, scope, tx, payload) {
      await (await listen(signal, scope, tx)).handle(payload)
    },
  }
}
