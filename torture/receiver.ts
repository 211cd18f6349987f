import { fork } from 'node:child_process'
import { once } from 'node:events'

/** One request as the receiver saw it. */
export interface Received {
  /** The `webhook-id` header: the delivery's. */
  id: string
  /** SHA-256 of the exact body. */
  hash: string
  /** Milliseconds since 1970, of its first byte. */
  at: number
  path: string
}

export interface ReceiverProcess {
  /** Of endpoint `n`, which answers 200 after `ms`. */
  url(n: number, ms?: number): string
  /** Everything so far, in the order of arrival. */
  log(): Promise<Received[]>
  stop(): void
}

/** A receiver in a process of its own, so that what is measured does not wait for the measuring process. */
export async function startReceiverProcess(host = '127.0.0.1'): Promise<ReceiverProcess> {
  const child = fork(new URL('receiver-process.ts', import.meta.url), [host], {
    stdio: 'inherit',
    serialization: 'advanced',
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const known: Received[] = []
  return {
    url: (n, ms = 0) => `http://${host}:${port}/hooks/${n}?ms=${ms}`,
    async log() {
      child.send('log')
      const [more] = (await once(child, 'message')) as [Received[]]
      for (const received of more) known.push(received)
      return known
    },
    stop: () => child.disconnect(),
  }
}

export interface Seen {
  total: number
  /** Times and body of each delivery, by its id in the ledger's form. */
  byId: Map<string, { at: number[]; hashes: Set<string> }>
}

export function tally(log: Received[], toKey: (id: string) => string): Seen {
  const byId: Seen['byId'] = new Map()
  for (const { id, hash, at } of log) {
    const key = toKey(id)
    const known = byId.get(key)
    if (known) {
      known.at.push(at)
      known.hashes.add(hash)
    } else byId.set(key, { at: [at], hashes: new Set([hash]) })
  }
  return { total: log.length, byId }
}
