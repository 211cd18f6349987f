/**
 * The present time. In production it follows the database's clock, so that hosts with different clocks agree on leases
 * and schedules. Tests set it.
 */
export interface Clock {
  now(): Date
}

export interface DatabaseClock extends Clock {
  /** Takes a reading of the database's time. `roundTripMs` is how long the question took. */
  observe(databaseNow: Date, roundTripMs: number): void
}

export function createDatabaseClock(): DatabaseClock {
  // Monotonic between readings, so that a jump of the host's clock changes nothing.
  let epochOffsetMs = Date.now() - performance.now()
  return {
    now: () => new Date(epochOffsetMs + performance.now()),
    observe(databaseNow, roundTripMs) {
      epochOffsetMs = databaseNow.getTime() + roundTripMs / 2 - performance.now()
    },
  }
}

export interface TestClock extends Clock {
  advance(ms: number): void
  set(now: Date): void
}

export function createTestClock(start: Date): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms
    },
    set(date) {
      now = date.getTime()
    },
  }
}
