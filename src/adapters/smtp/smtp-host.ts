import { Worker } from 'node:worker_threads'
import type { Log } from '../../platform/config/log.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import type { Answer, Fault, Mail, Order } from './smtp-worker.ts'

const GRACE_MS = 5_000
// For the whole dialogue. A dispatcher waits longer for one call.
const MESSAGE_MS = 50_000
const CLOSED: Fault = { code: 'ECONNECTION' }
const DIED: Fault = { code: 'EWORKER' }
const LATE: Fault = { code: 'ETIMEDOUT' }

/**
 * Composes mail and speaks SMTP on a thread of its own, which starts with the first message and again after it died.
 */
export interface SmtpHost {
  /** Resolves to null once the server has taken the message, else to what went wrong. Never rejects. */
  send(mail: Mail): Promise<Fault | null>
  /** Waits a few seconds for the messages under way. */
  close(): Promise<void>
}

export function createSmtpHost(url: Secret, log: Log, messageMs = MESSAGE_MS): SmtpHost {
  let thread: Thread | null = null
  let closed = false
  return {
    async send(mail) {
      if (closed) return CLOSED
      if (!thread?.alive()) thread = startThread(url, log, messageMs)
      return thread.send(mail)
    },
    async close() {
      closed = true
      await thread?.close()
    },
  }
}

interface Thread {
  alive(): boolean
  send(mail: Mail): Promise<Fault | null>
  close(): Promise<void>
}

function startThread(url: Secret, log: Log, messageMs: number): Thread {
  const worker = new Worker(new URL('./smtp-worker.ts', import.meta.url), {
    name: 'smtp',
    workerData: url.reveal(),
    execArgv: [],
  })
  const waiting = new Map<number, (fault: Fault | null) => void>()
  const ended = Promise.withResolvers<void>()
  let alive = true
  let last = 0

  const end = () => {
    alive = false
    for (const settle of waiting.values()) settle(DIED)
    waiting.clear()
    ended.resolve()
  }
  const settle = (number: number, fault: Fault | null) => {
    waiting.get(number)?.(fault)
    waiting.delete(number)
    // Only messages under way keep the process from ending.
    if (waiting.size === 0) worker.unref()
  }
  worker.on('message', ({ number, fault }: Answer) => settle(number, fault))
  worker.on('error', (error: NodeJS.ErrnoException) => {
    alive = false
    // Without the error's message, which may quote a recipient.
    log.error({ reason: error.code ?? error.name }, 'the SMTP thread died; its messages are tried again on another one')
  })
  worker.on('exit', end)

  return {
    alive: () => alive,
    send(mail) {
      if (waiting.size === 0) worker.ref()
      const number = (last += 1)
      const answer = Promise.withResolvers<Fault | null>()
      const deadline = setTimeout(settle, messageMs, number, LATE)
      waiting.set(number, (fault) => {
        clearTimeout(deadline)
        answer.resolve(fault)
      })
      worker.postMessage({ kind: 'send', number, mail } satisfies Order)
      return answer.promise
    },
    async close() {
      if (!alive) return
      worker.ref()
      worker.postMessage({ kind: 'close' } satisfies Order)
      const patience = setTimeout(() => void worker.terminate(), GRACE_MS)
      await ended.promise
      clearTimeout(patience)
    },
  }
}
