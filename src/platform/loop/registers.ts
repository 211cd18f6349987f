/*
 * A Map or Set whose entries come and go with every request is costly in V8. It links each table that it has replaced
 * to the next one. A full collection moves the present table to the old space. Once replaced, that table keeps all
 * later ones alive, with every request that was under way in them, until the next full collection: 40 KB of each event.
 * These two have no such links.
 */

/** Entries by name, in the order in which they came. */
export class Register<Value> {
  readonly #values = Object.create(null) as Record<string, Value>
  #size = 0

  get size(): number {
    return this.#size
  }

  get(name: string): Value | undefined {
    return this.#values[name]
  }

  set(name: string, value: Value): void {
    if (!(name in this.#values)) this.#size += 1
    this.#values[name] = value
  }

  /** False if there was no such entry. */
  delete(name: string): boolean {
    if (!(name in this.#values)) return false
    this.#size -= 1
    return Reflect.deleteProperty(this.#values, name)
  }

  entries(): Array<[name: string, value: Value]> {
    return Object.entries(this.#values)
  }

  values(): Value[] {
    return Object.values(this.#values)
  }
}

/** The place of an entry in a roster. */
export interface Place<Value> {
  value: Value
  before: Place<Value> | null
  after: Place<Value> | null
  isTaken: boolean
}

/** Entries without a name, in the order in which they came. Each leaves by its place. */
export class Roster<Value> {
  #first: Place<Value> | null = null
  #last: Place<Value> | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  get first(): Value | undefined {
    return this.#first?.value
  }

  add(value: Value): Place<Value> {
    const place: Place<Value> = { value, before: this.#last, after: null, isTaken: true }
    if (this.#last) this.#last.after = place
    else this.#first = place
    this.#last = place
    this.#size += 1
    return place
  }

  /** False if it had left before. */
  leave(place: Place<Value>): boolean {
    if (!place.isTaken) return false
    const { before, after } = place
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    place.before = null
    place.after = null
    place.isTaken = false
    this.#size -= 1
    return true
  }

  /** Entries may leave while it goes on. */
  *[Symbol.iterator](): Generator<Value> {
    for (let place = this.#first; place;) {
      const { after } = place
      yield place.value
      place = after
    }
  }
}
