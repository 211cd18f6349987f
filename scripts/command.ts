import { createDatabaseClock } from '../src/platform/loop/clock.ts'
import { parseConfig, type Config } from '../src/platform/config/config.ts'
import {
  DatabaseUnavailableError,
  type ClockReading,
  type DatabaseAdapter,
} from '../src/platform/database/database-adapter.ts'
import { createLog } from '../src/platform/config/log.ts'
import { createServices, type Services } from '../src/services.ts'

/** Everything that a command of the operator needs, with the database's clock. It starts no engine and no sweep. */
export async function openServices(config: Config): Promise<Services> {
  const clock = createDatabaseClock()
  const services = await createServices(config, { log: createLog('silent'), clock })
  try {
    const { now, roundTripMs } = await readClock(services.database)
    clock.observe(now, roundTripMs)
  } catch (error) {
    await services.close()
    throw error
  }
  return services
}

/** Asks as the owner, because a new cluster does not have the roles of the application before the first migration. */
export function readClock(database: DatabaseAdapter): Promise<ClockReading> {
  return database.asOwner(async (owner) => {
    const started = performance.now()
    const [row] = await owner.query<{ now: Date }>('select clock_timestamp() as now')
    return { now: row?.now ?? new Date(NaN), roundTripMs: performance.now() - started }
  })
}

export function readSettings(): Config {
  return parseConfig(process.env)
}

/** The message of `explain`, and after a wrong option also the usage of the command. */
export function withUsage(error: unknown, usage: string): string {
  const isOption = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return isOption ? `${error.message.split('. ', 1)[0]}.\n\n${usage}` : explain(error)
}

/** The message of an error and of its cause, without a stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof DatabaseUnavailableError) return `${error.message}: ${error.reason}`
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
