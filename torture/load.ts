import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'

const TICK_MS = 5

export interface Load {
  /** Starts no more, and waits for what is under way. */
  stop(): Promise<void>
}

/** Open arrival: so many calls a second, whether or not the earlier ones have ended. */
export function startLoad(perSecond: number, fire: (n: number) => Promise<void>): Load {
  const started = performance.now()
  const open = new Set<Promise<void>>()
  let n = 0
  const timer = setInterval(() => {
    for (const due = ((performance.now() - started) / 1000) * perSecond; n < due; n++) {
      const call = fire(n).finally(() => open.delete(call))
      open.add(call)
    }
  }, TICK_MS)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.allSettled(open)
    },
  }
}

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  // Whatever the API answered.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** How a call ended that got no whole answer: before the server can have read it, or after. */
export interface Unanswered {
  code: string
  /** An answer had begun. */
  begun: boolean
}

export interface Client {
  /** `key`: the server answers a repeated POST of one key as it answered the first. */
  call(
    method: 'GET' | 'POST',
    url: string,
    options?: { body?: unknown; token?: string; key?: string },
  ): Promise<Answer | Unanswered>
  close(): Promise<void>
}

/** Keeps connections, and throws nothing: a call ends in an answer or in the reason why there is none. */
export function createClient(options: { timeoutMs?: number; connections?: number } = {}): Client {
  const timeout = options.timeoutMs ?? 20_000
  const agent = new Agent({
    connections: options.connections ?? 256,
    pipelining: 1,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  })
  return {
    async call(method, url, { body, token, key } = {}) {
      const headers = {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      }
      let begun = false
      try {
        const answer = await request(url, {
          method,
          dispatcher: agent,
          headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        begun = true
        const text = await answer.body.text()
        return {
          status: answer.statusCode,
          headers: answer.headers,
          body: text.startsWith('{') ? JSON.parse(text) : text,
        }
      } catch (error) {
        return { code: (error as { code?: string }).code ?? String(error), begun }
      }
    },
    close: () => agent.destroy(),
  }
}

export function isAnswer(result: Answer | Unanswered): result is Answer {
  return 'status' in result
}

/** Asks again and again until it holds. Returns whether it did in time. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  timeoutMs: number,
  everyMs = 50,
): Promise<boolean> {
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline;) {
    if (await holds()) return true
    await pause(everyMs)
  }
  return holds()
}
