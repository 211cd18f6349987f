import { Register, Roster } from '../../platform/loop/registers.ts'

/** The bytes of one body that is not complete. */
export interface BodyShare {
  add(bytes: number): void
  release(): void
}

export interface BodyBudget {
  /** @param of who sends it. @param end called if the body has to give way. */
  begin(of: string, end: () => void): BodyShare
  total(): number
}

interface Body {
  bytes: number
  end: () => void
}

interface Caller {
  bytes: number
  /** The oldest first. */
  bodies: Roster<Body>
}

/**
 * Bounds the bytes of unfinished bodies, over all connections. Past the bound, the oldest body of the caller who holds
 * most ends: a body that is on its way is soon complete, and a waiting one is not.
 * @param most bytes
 */
export function createBodyBudget(most: number): BodyBudget {
  const callers = new Register<Caller>()
  let total = 0

  function largest(): Caller | undefined {
    let found: Caller | undefined
    for (const caller of callers.values()) if (!found || caller.bytes > found.bytes) found = caller
    return found
  }

  return {
    begin(of, end) {
      const caller = callers.get(of) ?? { bytes: 0, bodies: new Roster() }
      callers.set(of, caller)
      const body: Body = { bytes: 0, end }
      const place = caller.bodies.add(body)
      const release = () => {
        if (!caller.bodies.leave(place)) return
        caller.bytes -= body.bytes
        total -= body.bytes
        if (caller.bodies.size === 0 && callers.get(of) === caller) callers.delete(of)
      }
      // Given up from outside as well as released by its own code, it is counted once.
      const giveUp = () => {
        release()
        end()
      }
      body.end = giveUp
      return {
        add(bytes) {
          if (!place.isTaken) return
          body.bytes += bytes
          caller.bytes += bytes
          total += bytes
          while (total > most) {
            const oldest = largest()?.bodies.first
            if (!oldest) return
            oldest.end()
          }
        },
        release,
      }
    },
    total: () => total,
  }
}

const MOST_BYTES = 64 * 1024 * 1024

/** Of this process. */
export const unfinishedBodies = createBodyBudget(MOST_BYTES)
