/**
 * The present moment. Production follows the database's clock, so that two hosts whose own clocks
 * disagree still agree on leases and schedules; tests hold one that they advance.
 */
export interface Clock {
  now(): Date
}

export interface DatabaseClock extends Clock {
  /** Takes one reading of the database's time, taken `roundTripMs` after it was asked for. */
  observe(databaseNow: Date, roundTripMs: number): void
}

export function createDatabaseClock(): DatabaseClock {
  // Monotonic in between readings: a step of the host's wall clock changes nothing.
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
