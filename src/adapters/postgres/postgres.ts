import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { DatabaseUnavailableError, type DatabaseAdapter, type Reach } from '../../platform/database/database-adapter.ts'
import type { Log } from '../../platform/config/log.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import { isConnectionLoss, listen } from './connections.ts'
import { createPool } from './pool.ts'
import { createRequestConnections } from './request-connections.ts'
import { createTransactions } from './transaction.ts'

export interface PgOptions {
  url: Secret
  /** Connects as the owner of the schema. The same as `url`, unless the operator separates them. */
  migrationUrl: Secret
  poolSize: number
  /** `request` opens a connection for each request, for the poolers of serverless platforms. */
  connection: 'pool' | 'request'
  log: Log
  /** Sees every statement inside a transaction. For tests. */
  onStatement?: ((text: string, reach: Reach) => void) | undefined
}

const ignore = () => {}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
// Calendar dates stay text, because a Date would shift them by the host's zone.
types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** PostgreSQL through `pg`. BEGIN and the scope are sent with the first statement, COMMIT with the last. */
export function createPgDatabase(options: PgOptions): DatabaseAdapter {
  const settings = {
    connectionString: options.url.reveal(),
    types,
    pipeline: true,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'earshot',
  } satisfies pg.ClientConfig & { pipeline: boolean }
  const inTransaction = new AsyncLocalStorage<true>()
  const transactions = createTransactions({ types, inTransaction, onStatement: options.onStatement })
  const connections =
    options.connection === 'pool'
      ? createPool({ settings, size: options.poolSize, log: options.log, transactions, inTransaction })
      : createRequestConnections({ settings, transactions, inTransaction })
  return {
    kind: 'pg',
    connectionPerRequest: options.connection === 'request',
    ...connections,
    async asOwner(work) {
      const client = new pg.Client({
        ...settings,
        connectionString: options.migrationUrl.reveal(),
        pipeline: false,
      } as pg.ClientConfig)
      client.on('error', ignore)
      const setting = options.migrationUrl.reveal() === options.url.reveal() ? 'DATABASE_URL' : 'DATABASE_MIGRATION_URL'
      await client.connect().catch((error: unknown) => {
        throw new DatabaseUnavailableError(error, setting)
      })
      try {
        return await work({
          script: async (text) => void (await client.query(text)),
          query: async <Row>(text: string, values: readonly unknown[] = []) =>
            (await client.query<Row & pg.QueryResultRow>(text, [...values])).rows,
        })
      } catch (error) {
        throw isConnectionLoss(error) ? new DatabaseUnavailableError(error, setting) : error
      } finally {
        await client.end().catch(ignore)
      }
    },
    subscribe: (channel, receive) => listen(settings, channel, receive, options.log),
  }
}
