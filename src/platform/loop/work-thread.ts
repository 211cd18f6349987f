import { Worker } from 'node:worker_threads'
import { createFairQueue } from './fair-queue.ts'

const MOST_WAITING = 200
const YOUNG_MB = 8
/** A thread keeps 20 to 50 MB, so it ends after so long without work. */
const IDLE_MS = 30_000

/**
 * A thread that does pure work, one task at a time. Workspaces take turns, so that none waits for all tasks of another.
 * It starts with a task, and ends when none came for 30 seconds.
 */
export interface WorkThread<Task, Result> {
  /**
   * @param of the workspace that asks.
   * @throws WorkFailedError if the work takes too long, runs out of memory, or too many tasks wait.
   */
  run(task: Task, of: string): Promise<Result>
}

export class WorkFailedError extends Error {
  /** `busy` means that the work was not started, because too many tasks wait. */
  readonly reason: 'too slow' | 'died' | 'busy'
  constructor(reason: WorkFailedError['reason']) {
    super(`work on a thread failed: ${reason}`)
    this.name = 'WorkFailedError'
    this.reason = reason
  }
}

export interface WorkOptions {
  name: string
  /** Work that takes longer is ended together with its thread. */
  mostMs: number
  memoryMb: number
  /** Tasks that may wait, 200 unless told. One workspace may have half of them. */
  mostWaiting?: number
}

interface Waiting<Task, Result> {
  task: Task
  resolve(result: Result): void
  reject(error: WorkFailedError): void
}

/** The module must answer each message with one message and let no error escape. */
export function createWorkThread<Task, Result>(
  module: URL,
  { name, mostMs, memoryMb, mostWaiting = MOST_WAITING }: WorkOptions,
): WorkThread<Task, Result> {
  const waiting = createFairQueue<Waiting<Task, Result>>(mostWaiting)
  let current: Waiting<Task, Result> | null = null
  let worker: Worker | null = null
  let deadline: NodeJS.Timeout | undefined
  let idle: NodeJS.Timeout | undefined

  const settle = (settleCurrent: (one: Waiting<Task, Result>) => void) => {
    clearTimeout(deadline)
    const done = current
    current = null
    worker?.unref()
    if (done) settleCurrent(done)
    next()
    if (!current && worker) idle = setTimeout(end, IDLE_MS).unref()
  }

  const end = () => {
    const ended = worker
    worker = null
    void ended?.terminate()
  }

  const start = (): Worker => {
    const started = new Worker(module, {
      name,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
    })
    started.on('message', (result: Result) => {
      if (started === worker) settle(({ resolve }) => resolve(result))
    })
    started.on('error', () => drop(started, 'died'))
    started.on('exit', () => drop(started, 'died'))
    return started
  }

  const drop = (thread: Worker, reason: 'too slow' | 'died') => {
    if (thread !== worker) return
    worker = null
    void thread.terminate()
    settle(({ reject }) => reject(new WorkFailedError(reason)))
  }

  const next = () => {
    if (current) return
    current = waiting.next()
    if (!current) return
    clearTimeout(idle)
    const thread = (worker ??= start())
    thread.ref()
    deadline = setTimeout(drop, mostMs, thread, 'too slow')
    thread.postMessage(current.task)
  }

  return {
    run(task, of) {
      return new Promise((resolve, reject) => {
        if (!waiting.push(of, { task, resolve, reject })) return reject(new WorkFailedError('busy'))
        next()
      })
    },
  }
}
