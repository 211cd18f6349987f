import { Worker } from 'node:worker_threads'
import type { Log } from '../../platform/config/log.ts'
import type { Secret } from '../../platform/config/secrets.ts'
import type { Answer, Fault, Mail, Order, Settings } from './smtp-worker.ts'

/** As many as connections. More would wait in the thread, where nobody can take them back. */
const AT_ONCE = 8
const GRACE_MS = 5_000
const TIMES = {
  /** The longest wait for a connection. A message that waited this long still has time for its dialogue. */
  waitMs: 30_000,
  /** The longest time of a message, its wait included. A dispatcher waits longer for one call. */
  messageMs: 50_000,
}
const CLOSED: Fault = { code: 'ECONNECTION', posted: false }
const BUSY: Fault = { code: 'EBUSY', posted: false }
const DIED: Fault = { code: 'EWORKER' }
const LATE: Fault = { code: 'ETIMEDOUT' }

/**
 * Composes mail and speaks SMTP on a thread of its own, which starts with the first message and again after it died.
 */
export interface SmtpHost {
  /**
   * Resolves to null once the server has taken the message, else to what went wrong.
   * @param check asked when a message that waited for a connection has its turn. If it throws, the message is not sent.
   * @throws what `check` throws, and nothing else.
   */
  send(mail: Mail, check?: () => Promise<void>): Promise<Fault | null>
  /** Waits a few seconds for the messages under way. Those that wait for a connection are not sent. */
  close(): Promise<void>
}

export function createSmtpHost(url: Secret, log: Log, { waitMs, messageMs } = TIMES): SmtpHost {
  const line = new Set<(isTurn: boolean) => void>()
  let places = AT_ONCE
  let thread: Thread | null = null
  let closed = false

  /** False if no place was free in time. */
  async function turn(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const patience = setTimeout(() => {
      line.delete(resolve)
      resolve(false)
    }, waitMs)
    line.add(resolve)
    const isTurn = await promise
    clearTimeout(patience)
    return isTurn
  }
  // The place goes on to the next one.
  const leave = () => {
    const [next] = line
    if (!next) places += 1
    else {
      line.delete(next)
      next(true)
    }
  }
  /** Waits for a place. Else the reason why the message is not sent. */
  async function enter(check?: () => Promise<void>): Promise<Fault | null> {
    const begunMs = performance.now()
    if (!(await turn())) return closed ? CLOSED : BUSY
    try {
      await check?.()
    } catch (error) {
      leave()
      throw error
    }
    const fault = closed ? CLOSED : performance.now() - begunMs > waitMs ? BUSY : null
    if (fault) leave()
    return fault
  }

  return {
    async send(mail, check) {
      if (closed) return CLOSED
      const lateMs = performance.now() + messageMs
      if (places > 0) places -= 1
      else {
        const fault = await enter(check)
        if (fault) return fault
      }
      if (!thread?.alive()) thread = startThread(url, log)
      return thread.send(mail, lateMs - performance.now(), leave)
    },
    async close() {
      closed = true
      for (const settle of line) settle(false)
      line.clear()
      await thread?.close()
    },
  }
}

interface Thread {
  alive(): boolean
  /** @param left called when the thread is done with the message, which may be after it was given up as late. */
  send(mail: Mail, patienceMs: number, left: () => void): Promise<Fault | null>
  close(): Promise<void>
}

function startThread(url: Secret, log: Log): Thread {
  const worker = new Worker(new URL('./smtp-worker.ts', import.meta.url), {
    name: 'smtp',
    workerData: { url: url.reveal(), connections: AT_ONCE } satisfies Settings,
    execArgv: [],
  })
  const waiting = new Map<number, (fault: Fault | null) => void>()
  const late = new Set<number>()
  const ended = Promise.withResolvers<void>()
  let alive = true
  let last = 0

  const end = () => {
    alive = false
    for (const settle of waiting.values()) settle(DIED)
    waiting.clear()
    ended.resolve()
  }
  worker.on('message', ({ number, fault }: Answer) => {
    waiting.get(number)?.(fault)
    waiting.delete(number)
    late.delete(number)
    // Only messages under way keep the process from ending.
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', (error: NodeJS.ErrnoException) => {
    alive = false
    // Without the error's message, which may quote a recipient.
    log.error({ reason: error.code ?? error.name }, 'the SMTP thread died; its messages are tried again on another one')
  })
  worker.on('exit', end)

  return {
    alive: () => alive,
    send(mail, patienceMs, left) {
      if (waiting.size === 0) worker.ref()
      const number = (last += 1)
      const answer = Promise.withResolvers<Fault | null>()
      const deadline = setTimeout(() => {
        answer.resolve(LATE)
        // A server that keeps every connection busy for ever would stop all mail.
        if (late.add(number).size === AT_ONCE) void worker.terminate()
      }, patienceMs)
      waiting.set(number, (fault) => {
        clearTimeout(deadline)
        answer.resolve(fault)
        left()
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
