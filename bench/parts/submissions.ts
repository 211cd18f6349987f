import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'undici'
import { monotonicMs } from './processes.ts'

// Respondents in a process of their own, on one survey after the other. A submission carries the moment at which it was
// sent, and its delivery repeats it.
export interface Order {
  url: string
  paths: string[]
  /** So many at a time, each as soon as one was answered; or so many a second, answered or not. */
  pace: { inFlight: number } | { perSecond: number }
}

export interface Submitted {
  accepted: number
  /** The first answer that was not 201. */
  refusal: string | null
}

const CONNECTIONS = 64

const submitted: Submitted = { accepted: 0, refusal: null }
let stopping = false
let run = Promise.resolve()

process.on('message', (message: Order | 'accepted' | 'stop') => {
  if (message === 'accepted') return process.send?.(submitted)
  if (message === 'stop') {
    stopping = true
    return void run.then(() => process.send?.(submitted))
  }
  stopping = false
  run = follow(message)
})
process.on('disconnect', () => process.exit())

async function follow({ url, paths, pace }: Order): Promise<void> {
  const pool = new Pool(url, { connections: 'inFlight' in pace ? pace.inFlight : CONNECTIONS, pipelining: 1 })
  let n = 0
  const next = () => submit(pool, paths[n % paths.length] ?? '', n++)
  if ('inFlight' in pace) {
    const respondent = async () => {
      while (!stopping) await next()
    }
    await Promise.all(Array.from({ length: pace.inFlight }, respondent))
  } else {
    const open: Promise<void>[] = []
    for (const started = performance.now(); !stopping; open.push(next())) {
      const waitMs = started + (n * 1000) / pace.perSecond - performance.now()
      if (waitMs > 0) await pause(waitMs)
    }
    await Promise.all(open)
  }
  await pool.close()
}

function submit(pool: Pool, path: string, n: number): Promise<void> {
  const body = `{"answers":{"q1":${n % 11},"q2":"Quick and friendly, though the parcel came a day late."},"custom_data":{"sent_at":${monotonicMs()}}}`
  return new Promise((resolve, reject) => {
    let status = 0
    pool.dispatch(
      { path, method: 'POST', headers: { 'content-type': 'application/json' }, body },
      {
        onRequestStart() {},
        onResponseStart: (_controller, statusCode) => void (status = statusCode),
        onResponseData(_controller, chunk) {
          if (status !== 201) submitted.refusal ??= `${status}: ${chunk.toString()}`
        },
        onResponseEnd() {
          if (status === 201) submitted.accepted += 1
          else submitted.refusal ??= `${status}`
          resolve()
        },
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}
