import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { PING_MS, type DatabaseAdapter } from '../platform/database/database-adapter.ts'

/** Metrics of one process: event loop, memory and CPU under prom-client's names, and database connections. */
export function registerProcessMetrics(
  registry: Registry,
  database: Pick<DatabaseAdapter, 'ping' | 'usage'>,
  version: string,
): void {
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'earshot_build_info',
    help: 'Always 1; the version is a label.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1)
  new Gauge({
    name: 'earshot_database_up',
    help: '1 when the database answered within 2 seconds.',
    registers,
    async collect() {
      const up = await database.ping(PING_MS).then(
        () => true,
        () => false,
      )
      this.set(up ? 1 : 0)
    },
  })
  new Gauge({
    name: 'earshot_database_connections',
    help: 'Connections of the pool: in use, idle, and the most that it may open.',
    labelNames: ['state'],
    registers,
    collect() {
      const usage = database.usage()
      if (!usage) return
      this.set({ state: 'in_use' }, usage.total - usage.idle)
      this.set({ state: 'idle' }, usage.idle)
      this.set({ state: 'most' }, usage.most)
    },
  })
  new Gauge({
    name: 'earshot_database_waiting',
    help: 'Transactions that wait for a connection of the pool, or for the share of members.',
    registers,
    collect() {
      this.set(database.usage()?.waiting ?? 0)
    },
  })
}
