import type { Connection, DatabaseHandle, Reach } from '../database/database-adapter.ts'
import type { Tracing } from './tracing.ts'

const NAMES_AT_MOST = 30

/** The handle with a span for each transaction of a trace. It holds the names of the prepared statements. */
export function tracedDatabase(handle: DatabaseHandle, tracing: Tracing): DatabaseHandle {
  const rewrite = handle.rewrite?.bind(handle)
  return {
    get counters() {
      return handle.counters
    },
    ping: () => handle.ping(),
    transaction: (reach, work) =>
      tracing.part(nameOf(reach), { 'db.system.name': 'postgresql' }, async (span) => {
        const seen = new Map<string, number>()
        try {
          return await handle.transaction(reach, (connection) => work(watched(connection, seen)))
        } finally {
          const names = [...seen.keys()].slice(0, NAMES_AT_MOST).join(' ')
          const count = [...seen.values()].reduce((sum, each) => sum + each, 0)
          span.set({ 'db.operation.batch.size': count, 'earshot.statements': names })
        }
      }),
    ...(rewrite && { rewrite }),
    release: () => handle.release(),
  }
}

/** A port whose methods all call a provider, with a span for each call. */
export function tracedPort<Port extends object>(name: string, port: Port, tracing: Tracing): Port {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target)
      if (typeof value !== 'function' || typeof key !== 'string') return value
      return (...given: unknown[]) =>
        tracing.call(`${name} ${key}`, {}, () => Reflect.apply(value, target, given) as Promise<unknown>)
    },
  })
}

function nameOf(reach: Reach): string {
  if (reach.role === 'system') return 'transaction system'
  return reach.reads ? 'read tenant' : 'transaction tenant'
}

function watched(connection: Connection, seen: Map<string, number>): Connection {
  const note = (name = 'other') => seen.set(name, (seen.get(name) ?? 0) + 1)
  return {
    query(text, values, name) {
      note(name)
      return connection.query(text, values, name)
    },
    atCommit(text, values, name, on) {
      note(name)
      connection.atCommit(text, values, name, on)
    },
    isCluster: () => connection.isCluster(),
  }
}
