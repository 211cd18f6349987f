import { createDatabaseClock } from '../src/platform/clock.ts'
import { parseConfig, type Config } from '../src/platform/config.ts'
import { PING_MS } from '../src/platform/database-adapter.ts'
import { createLog } from '../src/platform/log.ts'
import { createServices, type Services } from '../src/services.ts'

/** Everything that a command of the operator needs, with the database's clock. It starts no engine and no sweep. */
export async function openServices(config: Config): Promise<Services> {
  const clock = createDatabaseClock()
  const services = await createServices(config, { log: createLog('silent'), clock })
  try {
    const { now, roundTripMs } = await services.database.ping(PING_MS)
    clock.observe(now, roundTripMs)
  } catch (error) {
    await services.close()
    throw error
  }
  return services
}

export function readSettings(): Config {
  return parseConfig(process.env)
}

/** The message of an error and of its cause, without a stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
