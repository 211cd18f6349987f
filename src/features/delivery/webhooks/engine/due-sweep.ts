// A retry that is due at once must not become a loop without a pause.
const SOONEST_MS = 50

/**
 *     resting ──asked, or the planned time──▶ looking ──ended──▶ resting
 *                                              │   ▲
 *                                        asked │   │ ended: one more look
 *                                              ▼   │
 *                                           looking_again
 *
 * A look that is under way may have missed rows that became due meanwhile, so a call meanwhile gets one more.
 */
type State = 'resting' | 'looking' | 'looking_again'

type Plan = { is: 'none' } | { is: 'timed'; at: number; timer: NodeJS.Timeout } | { is: 'stopped' }

/** When to look for due rows: one look at a time, and one planned look. */
export class DueSweep {
  readonly #look: () => Promise<void>
  readonly #onRest: () => void
  #state: State = 'resting'
  #looked = Promise.resolve()
  #plan: Plan = { is: 'none' }

  /** @param look must not throw. */
  constructor(look: () => Promise<void>, onRest: () => void) {
    this.#look = look
    this.#onRest = onRest
  }

  get isResting(): boolean {
    return this.#state === 'resting'
  }

  /** Resolves after a look that began at or after this call. */
  now(): Promise<void> {
    if (this.#state === 'resting') this.#looked = this.#lookUntilCovered()
    else this.#state = 'looking_again'
    return this.#looked
  }

  /** Plans a look within some milliseconds. An earlier plan stands. */
  within(delayMs: number): void {
    const delay = Math.max(SOONEST_MS, delayMs)
    const at = performance.now() + delay
    if (this.#plan.is === 'stopped' || (this.#plan.is === 'timed' && this.#plan.at <= at)) return
    this.#clearTimer()
    const timer = setTimeout(() => this.#lookAsPlanned(), delay).unref()
    this.#plan = { is: 'timed', at, timer }
  }

  /** Plans no more. A look under way ends. */
  stop(): void {
    this.#clearTimer()
    this.#plan = { is: 'stopped' }
  }

  async #lookUntilCovered(): Promise<void> {
    do {
      this.#state = 'looking'
      await this.#look()
    } while (this.#isAskedAgain())
    this.#state = 'resting'
    this.#onRest()
  }

  #isAskedAgain(): boolean {
    return this.#state === 'looking_again'
  }

  #lookAsPlanned(): void {
    this.#plan = { is: 'none' }
    void this.now()
  }

  #clearTimer(): void {
    if (this.#plan.is === 'timed') clearTimeout(this.#plan.timer)
  }
}
