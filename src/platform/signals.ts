/** Something that happens in a transaction. Features on lower floors listen to it, and `features.ts` connects them. */
export interface Signal<Told> {
  readonly name: string
  /** Never set. It only carries the type. */
  readonly told?: Told
}

/** A listener writes in the transaction of the cause, so both commit together. */
export interface Ear<Told> {
  hear(told: Told): Promise<void>
}

export function signalOf<Told>(name: string): Signal<Told> {
  return { name }
}
