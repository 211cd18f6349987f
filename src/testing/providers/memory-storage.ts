import { StorageError, type StoragePort } from '../../platform/ports/storage-port.ts'
import type { TestServer } from '../harness.ts'

const storages = new WeakMap<TestServer, StoragePort>()

/** Keeps the files of a server in memory, for tests that have no folder. */
export function storeInMemory(server: TestServer): void {
  const storage = storages.get(server) ?? createMemoryStorage()
  storages.set(server, storage)
  Object.assign(server.services.factories, { storage: () => storage })
}

function createMemoryStorage(): StoragePort {
  const objects = new Map<string, Buffer>()
  return {
    async put(key, body) {
      const chunks = []
      for await (const chunk of body) chunks.push(chunk)
      objects.set(key, Buffer.concat(chunks))
    },
    async read(key, { from, until }) {
      const found = objects.get(key)
      if (!found) throw new StorageError('missing')
      return (async function* () {
        yield found.subarray(from, until)
      })()
    },
    list: async (prefix) => [...objects.keys()].filter((key) => key.startsWith(prefix)).sort(),
    async remove(keys) {
      for (const key of keys) objects.delete(key)
    },
  }
}
