import { ENDPOINT_SLOTS, type Endpoint } from './fairness-endpoint.ts'

/** Young requests that a worker may have in flight. */
export const WORKER_SLOTS = 64
/** Requests of any age that a worker may have in flight. */
export const WORKER_CEILING = 1_024
/**
 * Slots that unproven endpoints may take together. However many of them hang, half of a worker is left to those
 * that answer.
 */
export const UNPROVEN_SLOTS = WORKER_SLOTS / 2
// A claim is a transaction: claiming for each slot that comes free would cost one for each row. Waiting for more
// room costs little, because a request gives its slot back within a second, done or not.
const CLAIM_AT_LEAST = 24

/** The slots of one worker: how many are reserved, young and old, and how many of them unproven endpoints have. */
export class WorkerRoom {
  #reserved = 0
  #young = 0
  #old = 0
  #unproven = 0

  get inFlight(): number {
    return this.#young + this.#old
  }

  get outstanding(): number {
    return this.inFlight + this.#reserved
  }

  get #free(): number {
    return Math.min(WORKER_SLOTS - this.#young, WORKER_CEILING - this.inFlight) - this.#reserved
  }

  /** Slots for one claim; 0 while there are too few to be worth it. */
  get freeForClaim(): number {
    return this.#free >= CLAIM_AT_LEAST ? this.#free : 0
  }

  /** Whether a claim may bring an endpoint what it may have at most. */
  admitsClaim(endpoint: Endpoint): boolean {
    return endpoint.isProven || this.#unproven <= UNPROVEN_SLOTS - ENDPOINT_SLOTS
  }

  /** Whether one slot may be held. While others wait, the room for the claim that they wait for is left free. */
  admitsHold(isProven: boolean, othersWait: boolean): boolean {
    const [claim, unprovenClaim] = othersWait ? [CLAIM_AT_LEAST, ENDPOINT_SLOTS] : [0, 0]
    return this.#free > claim && (isProven || this.#unproven < UNPROVEN_SLOTS - unprovenClaim)
  }

  reserve(slots: number, isProven: boolean): void {
    this.#reserved += slots
    if (!isProven) this.#unproven += slots
  }

  release(slots: number, isProven: boolean): void {
    this.#reserved -= slots
    if (!isProven) this.#unproven -= slots
  }

  begin(isProven: boolean): void {
    this.#young += 1
    if (!isProven) this.#unproven += 1
  }

  /** A request turned a second old. */
  age(wasProven: boolean): void {
    this.#young -= 1
    this.#old += 1
    if (!wasProven) this.#unproven -= 1
  }

  endYoung(wasProven: boolean): void {
    this.#young -= 1
    if (!wasProven) this.#unproven -= 1
  }

  endOld(): void {
    this.#old -= 1
  }
}
