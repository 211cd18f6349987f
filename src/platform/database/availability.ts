import { DatabaseUnavailableError } from './database-adapter.ts'
import type { Log } from '../config/log.ts'

export interface AvailabilityLog {
  up(): void
  down(error: unknown): void
}

/** Logs once when the database is lost and once when it is back, however often it is asked. */
export function createAvailabilityLog(log: Log): AvailabilityLog {
  let lostAt: number | null = null
  return {
    up() {
      if (lostAt === null) return
      log.warn({ awaySeconds: Math.round((performance.now() - lostAt) / 1000) }, 'the database is back')
      lostAt = null
    },
    down(error) {
      if (lostAt !== null) return
      lostAt = performance.now()
      const away = error instanceof DatabaseUnavailableError ? error : new DatabaseUnavailableError(error)
      log.error({ reason: away.reason }, `${away.message}: requests answer 503, and background work waits`)
    },
  }
}
