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

export function signalOf<Told>(name: string): Signal<Told> {
  return { name }
}
