import type { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import {
  DatabaseReleasedError,
  NestedTransactionError,
  NOTIFY,
  PING_MS,
} from '../../platform/database/database-adapter.ts'
import { inTime, ownConnection, readClock, watched, type Connections, type OwnConnection } from './connections.ts'
import { createNodeWatch } from './cluster.ts'
import type { Transactions } from './transaction.ts'

interface Options {
  settings: pg.ClientConfig
  transactions: Transactions
  inTransaction: AsyncLocalStorage<true>
}

/**
 * One connection for each request, closed at its end, for the poolers of serverless platforms. Other work opens and
 * closes its own, so no connection stays open between requests.
 */
export function createRequestConnections({ settings, transactions, inTransaction }: Options): Connections {
  const nodes = createNodeWatch()
  async function once<T>(work: (own: OwnConnection) => Promise<T>): Promise<T> {
    const own = ownConnection(settings)
    // Not awaited, because a silent server would delay the caller.
    return work(own).finally(() => void own.end())
  }
  const ask = (own: OwnConnection, timeoutMs: number) => inTime(own.inTurn(readClock), timeoutMs, own.discard)
  const countersOf = (own: OwnConnection) => ({
    query: (...query: unknown[]) => own.inTurn((client) => client.query(...(query as [string]))),
  })

  return {
    counters: { query: (...query) => once((own) => countersOf(own).query(...query)) },
    open() {
      const own = ownConnection(settings)
      return {
        counters: countersOf(own),
        async transaction(reach, work) {
          if (inTransaction.getStore()) throw new NestedTransactionError()
          return own.inTurn((client, discard) =>
            nodes.watch(watched(client, discard, () => transactions.run(client, reach, work))),
          )
        },
        async ping() {
          if (own.ended()) throw new DatabaseReleasedError()
          await ask(own, PING_MS)
          return { degraded: nodes.isDegraded() }
        },
        release: () => own.end(),
      }
    },
    ping: (timeoutMs) => once((own) => ask(own, timeoutMs)),
    usage: () => null,
    publish: (channel, payloads) =>
      once((own) => own.inTurn(async (client) => void (await client.query(NOTIFY, [channel, payloads])))),
    close: async () => {},
  }
}
