import { z } from 'zod'
import type { DatabaseAdapter } from '../../platform/database/database-adapter.ts'
import type { Log } from '../../platform/config/log.ts'
import type { QueuePort, Wake, WakeListener } from '../../platform/ports/ports.ts'

export interface WakeBus extends QueuePort {
  /** Makes this process take wakes of topics: its own in memory, others' by NOTIFY. */
  listen(listeners: Record<string, WakeListener>): Promise<void>
  stop(): Promise<void>
}

const CHANNEL = 'earshot_wake'
// NOTIFY in every transaction cut commits to a third. A delay of a few milliseconds costs nothing.
const DEBOUNCE_MS = 5
// A NOTIFY payload holds less than 8,000 bytes. In JSON an id or a group takes 39 of them.
const NOTIFY_BYTES = 7_500
const ID_BYTES = 39
const HEAD_BYTES = 200

// One payload carries wakes of one tenant, each as `[group, ...ids]`.
const Payload = z.object({ topic: z.string(), tenantId: z.string(), wakes: z.array(z.array(z.string()).min(1)) })

/** Carries wakes to this process's workers in memory, and to other processes' workers by NOTIFY. */
export function createWakeBus(database: DatabaseAdapter, log: Log): WakeBus {
  let listeners: Record<string, WakeListener> = {}
  let unsubscribe = async () => {}
  let waiting = new Map<string, { topic: string; wake: Wake }>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = new Map()
    timer = undefined
    await database.publish(CHANNEL, payloads([...batch.values()]))
  }

  return {
    wake(topic, wake) {
      const local = listeners[topic]
      if (local) return void setImmediate(() => local.wake(wake))
      const key = `${topic} ${wake.tenantId} ${wake.group}`
      const known = waiting.get(key)
      if (known) known.wake.ids.push(...wake.ids)
      else waiting.set(key, { topic, wake: { ...wake, ids: [...wake.ids] } })
      timer ??= setTimeout(() => {
        flush().catch((err) => log.warn({ err }, 'a wake was not sent: the next sweep finds the work'))
      }, DEBOUNCE_MS)
    },
    local: (topic) => listeners[topic],
    async listen(next) {
      listeners = next
      unsubscribe = await database.subscribe(CHANNEL, (text) => {
        const payload = parsePayload(text)
        for (const [group = '', ...ids] of payload?.wakes ?? []) {
          listeners[payload?.topic ?? '']?.wake({ tenantId: payload?.tenantId as Wake['tenantId'], group, ids })
        }
      })
    },
    async stop() {
      listeners = {}
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

function payloads(waiting: Array<{ topic: string; wake: Wake }>): string[] {
  const done: string[] = []
  let open: { topic: string; tenantId: string; wakes: string[][] } | null = null
  let bytes = 0
  const close = () => {
    if (open) done.push(JSON.stringify(open))
    open = null
  }
  for (const { topic, wake } of waiting) {
    for (const ids of chunks(wake.ids)) {
      const size = ID_BYTES * (ids.length + 1)
      if (open && (open.topic !== topic || open.tenantId !== wake.tenantId || bytes + size > NOTIFY_BYTES)) close()
      if (!open) bytes = HEAD_BYTES
      open ??= { topic, tenantId: wake.tenantId, wakes: [] }
      open.wakes.push([wake.group, ...ids])
      bytes += size
    }
  }
  close()
  return done
}

function chunks(ids: string[]): string[][] {
  const size = Math.floor((NOTIFY_BYTES - HEAD_BYTES) / ID_BYTES) - 1
  if (ids.length === 0) return [[]]
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, i) => ids.slice(i * size, (i + 1) * size))
}
