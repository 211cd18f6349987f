import { z } from 'zod'
import type { DatabaseAdapter } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { QueuePort, Wake } from '../../platform/ports.ts'

type Receive = (wake: Wake) => void

export interface WakeBus extends QueuePort {
  /** This process takes wakes of a topic: its own in memory, others' by NOTIFY. */
  listen(receivers: Record<string, Receive>): Promise<void>
  stop(): Promise<void>
}

const CHANNEL = 'earshot_wake'
// NOTIFY in every transaction cut commits to a third; a few milliseconds of patience cost nothing.
const DEBOUNCE_MS = 5
// A NOTIFY payload holds less than 8,000 bytes; an id takes 39 of them in JSON.
const IDS_PER_NOTIFY = 180

const Payload = z.object({ topic: z.string(), tenantId: z.string(), group: z.string(), ids: z.array(z.string()) })

/** Carries wakes in memory to this process's own workers, or by NOTIFY to the processes that have some. */
export function createWakeBus(database: DatabaseAdapter, log: Log): WakeBus {
  let receivers: Record<string, Receive> = {}
  let unsubscribe = async () => {}
  let waiting = new Map<string, { topic: string; wake: Wake }>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = new Map()
    timer = undefined
    for (const { topic, wake } of batch.values()) {
      for (const ids of chunks(wake.ids, IDS_PER_NOTIFY)) await database.publish(CHANNEL, JSON.stringify({ topic, ...wake, ids }))
    }
  }

  return {
    wake(topic, wake) {
      const local = receivers[topic]
      if (local) return void setImmediate(local, wake)
      const key = `${topic} ${wake.tenantId} ${wake.group}`
      const known = waiting.get(key)
      if (known) known.wake.ids.push(...wake.ids)
      else waiting.set(key, { topic, wake: { ...wake, ids: [...wake.ids] } })
      timer ??= setTimeout(() => {
        flush().catch((err) => log.warn({ err }, 'a wake was not sent; the next sweep finds the work'))
      }, DEBOUNCE_MS)
    },
    async listen(next) {
      receivers = next
      unsubscribe = await database.subscribe(CHANNEL, (text) => {
        const payload = parsePayload(text)
        if (payload) receivers[payload.topic]?.({ ...payload, tenantId: payload.tenantId as Wake['tenantId'] })
      })
    },
    async stop() {
      receivers = {}
      await unsubscribe()
      if (timer) {
        clearTimeout(timer)
        await flush().catch(() => {})
      }
    },
  }
}

function parsePayload(text: string): z.output<typeof Payload> | null {
  try {
    return Payload.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function chunks(ids: string[], size: number): string[][] {
  if (ids.length === 0) return [[]]
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, i) => ids.slice(i * size, (i + 1) * size))
}
