/** Something that happens in a transaction. Features on lower floors listen to it, and `features.ts` connects them. */
export interface Signal<Payload> {
  readonly name: string
  /** Never set. It only carries the type. */
  readonly payload?: Payload
}

/** A listener writes in the transaction of the cause, so both commit together. */
export interface Handler<Payload> {
  handle(payload: Payload): Promise<void>
}

export function signalOf<Payload>(name: string): Signal<Payload> {
  return { name }
}
