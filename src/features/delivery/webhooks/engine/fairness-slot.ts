import type { Ending, Endpoint } from './fairness-endpoint.ts'
import type { WorkerRoom } from './fairness-room.ts'

const YOUNG_MS = 1_000

/** A slot with its request. */
export interface OpenSlot {
  close(ending: Ending): void
}

/** A slot kept free for a row that is about to be stored. */
export interface HeldSlot {
  /** The row is stored: its request begins, even where the hold has lapsed. */
  open(): OpenSlot
  /** The row was not stored. */
  cancel(): void
}

/** Where slots are counted. */
export interface SlotKeeper {
  room: WorkerRoom
  /** A slot of this endpoint came free. */
  settle(endpoint: Endpoint): void
}

/**
 *     new     ──hold──▶ held      ──open──▶ young
 *     held    ──open──▶ young     ──cancel──▶ closed     ──a second──▶ lapsed
 *     lapsed  ──open──▶ young     ──cancel──▶ closed
 *     young                       ──close──▶ closed      ──a second──▶ old
 *     old                         ──close──▶ closed
 *
 * A held slot is reserved for a second at most: a transaction that waits for a lock must not keep it from others. An
 * old request counts against the ceiling only.
 */
type Phase = 'new' | 'held' | 'lapsed' | 'young' | 'old' | 'closed'

export class Slot implements OpenSlot, HeldSlot {
  readonly #keeper: SlotKeeper
  readonly #endpoint: Endpoint
  readonly #onYield: () => void
  #phase: Phase = 'new'
  /** As it was when this phase began: the room is given back what was taken from it. */
  #proven = false
  #timer: NodeJS.Timeout | undefined

  /** @param onYield is called when this slot is a second old, and so makes room for others. */
  constructor(keeper: SlotKeeper, endpoint: Endpoint, onYield: () => void) {
    this.#keeper = keeper
    this.#endpoint = endpoint
    this.#onYield = onYield
  }

  hold(): HeldSlot {
    this.#begin('held')
    this.#endpoint.held += 1
    this.#keeper.room.reserve(1, this.#proven)
    return this
  }

  open(): OpenSlot {
    this.#endHold()
    this.#begin('young')
    this.#endpoint.inFlight += 1
    this.#keeper.room.begin(this.#proven)
    return this
  }

  cancel(): void {
    if (this.#phase !== 'held' && this.#phase !== 'lapsed') return
    this.#endHold()
    this.#phase = 'closed'
    this.#keeper.settle(this.#endpoint)
  }

  close(ending: Ending): void {
    if (this.#phase === 'young') this.#keeper.room.endYoung(this.#proven)
    else if (this.#phase === 'old') this.#keeper.room.endOld()
    else return
    clearTimeout(this.#timer)
    this.#phase = 'closed'
    this.#endpoint.inFlight -= 1
    this.#endpoint.ended(ending)
    this.#keeper.settle(this.#endpoint)
  }

  #begin(phase: 'held' | 'young'): void {
    this.#phase = phase
    this.#proven = this.#endpoint.isProven
    this.#timer = setTimeout(() => this.#yield(), YOUNG_MS)
  }

  #yield(): void {
    if (this.#phase === 'held') {
      this.#endHold()
      this.#phase = 'lapsed'
    } else {
      this.#phase = 'old'
      this.#keeper.room.age(this.#proven)
      this.#endpoint.grewSlow()
    }
    this.#onYield()
  }

  #endHold(): void {
    if (this.#phase !== 'held') return
    clearTimeout(this.#timer)
    this.#endpoint.held -= 1
    this.#keeper.room.release(1, this.#proven)
  }
}
