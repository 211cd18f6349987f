import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

const TICK_MS = 2

/**
 * Open arrival: so many calls a second, whether or not the earlier ones have ended.
 * @returns milliseconds of each call from the moment it was due, so that a wait before it is not hidden.
 */
export async function openArrival(
  perSecond: number,
  seconds: number,
  call: (n: number) => Promise<unknown>,
): Promise<number[]> {
  const latencies: number[] = []
  const open: Promise<unknown>[] = []
  const started = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = started + (n / perSecond) * 1000
    while (performance.now() < due) await pause(Math.max(0, Math.min(TICK_MS, due - performance.now())))
    open.push(call(n).then(() => latencies.push(performance.now() - due)))
  }
  await Promise.all(open)
  return latencies
}

/** Resolves once a server says that it is ready. */
export async function untilReady(base: string): Promise<void> {
  for (;;) {
    const { statusCode, body } = await request(`${base}/health/ready`)
    await body.dump()
    if (statusCode === 200) return
    await pause(50)
  }
}

export interface Api {
  /** Throws for any answer that is no success. */
  post<T = unknown>(path: string, body: unknown, token?: string): Promise<T>
  close(): Promise<void>
}

export function createApi(base: string): Api {
  const agent = new Agent({ connections: 512, pipelining: 1 })
  return {
    async post<T>(path: string, body: unknown, token?: string) {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      const answer = await request(base + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
        dispatcher: agent,
      })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`POST ${path} answered ${answer.statusCode}: ${text}`)
      return JSON.parse(text) as T
    },
    close: () => agent.close(),
  }
}
