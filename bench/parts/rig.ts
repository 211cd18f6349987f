import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { createDatabaseClock } from '../../src/platform/loop/clock.ts'
import { parseConfig } from '../../src/platform/config/config.ts'
import { newId, type TenantId } from '../../src/platform/ids.ts'
import { createLog } from '../../src/platform/config/log.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { stageEvent } from '../../src/features/delivery/publishing/publishing.service.ts'
import { CATALOGUE } from '../../src/features/delivery/events/events.schema.ts'
import { createWebhook } from '../../src/features/delivery/webhooks/registration/webhooks.service.ts'
import { createServices, type Services } from '../../src/services.ts'
import { startPostgres, type PostgresServer } from '../../src/testing/database/postgres.ts'
import { cpuOf, cpuOfPostgres, parentOf } from './processes.ts'

export const SECRETS_KEY = 'a-key-for-a-bench-that-is-long-enough'
export const IN_FLIGHT = 64
export const ENDPOINTS = 100
/** The catalogue's example, about 700 bytes, which every bench sends. */
export const EXAMPLE = CATALOGUE.find((entry) => entry.name === 'response.completed')?.example ?? {}

export interface Rig {
  services: Services
  /** Both null for the embedded database. */
  postgres: PostgresServer | null
  postmaster: number | null
  receiver: Receiver
  close(): Promise<void>
}

/**
 * The product's services on a fresh database, with default settings but fsync off, and a receiver in a process of its
 * own.
 */
export async function openRig(engine: 'pg' | 'embedded' = 'pg'): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'))
  const postgres = engine === 'pg' ? await startPostgres([]) : null
  const config = parseConfig({
    LOG_LEVEL: 'error',
    SECRETS_KEY,
    DATA_DIR: dataDir,
    ...(postgres && { DATABASE_URL: postgres.url('postgres') }),
  })
  const services = await createServices(config, { log: createLog('error'), clock: createDatabaseClock() })
  await migrate(services.database)
  const receiver = await startReceiver()
  // Asked for while its backend is there to tell whose child it is.
  const parent = () =>
    services.database.asOwner(async (owner) =>
      parentOf((await owner.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid ?? 0),
    )
  return {
    services,
    postgres,
    postmaster: postgres ? await parent() : null,
    receiver,
    async close() {
      receiver.stop()
      await services.close()
      await postgres?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface Receiver {
  process: ChildProcess
  url: string
  /** `first`: when the first request since the last such question came. */
  ask<T>(question: 'received' | 'latencies' | 'first'): Promise<T>
  stop(): void
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(new URL('receiver.ts', import.meta.url), { stdio: 'inherit' })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    process: child,
    url: `http://127.0.0.1:${port}`,
    ask: (question) => ask(child, question),
    stop: () => child.disconnect(),
  }
}

/** One question at a time. */
export async function ask<T>(child: ChildProcess, question: string): Promise<T> {
  child.send(question)
  const [answer] = (await once(child, 'message')) as [T]
  return answer
}

/** How many requests a second `Pool.dispatch` alone posts to the receiver. */
export async function dispatchAlone(url: string, seconds: number): Promise<number> {
  const pool = new Pool(url, { connections: IN_FLIGHT, pipelining: 1 })
  const body = JSON.stringify(EXAMPLE)
  const end = performance.now() + seconds * 1000
  let done = 0
  const post = () =>
    new Promise<void>((resolve, reject) => {
      pool.dispatch(
        { path: '/hooks', method: 'POST', headers: { 'content-type': 'application/json' }, body },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd: () => resolve(),
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
  const started = performance.now()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (performance.now() < end) {
        await post()
        done += 1
      }
    }),
  )
  const rate = done / ((performance.now() - started) / 1000)
  await pool.close()
  return rate
}

/** A workspace with a webhook for each URL, which takes every event. */
export async function createTenant(services: Services, urls: string[]): Promise<TenantId> {
  const tenantId = newId('workspace')
  const registration = {
    description: '',
    tags: [],
    headers: {},
    events: [],
    survey_ids: [],
    include_text: true,
    include_custom_data: true,
    include_answers: true,
  }
  for (const url of urls)
    await services.run((system) => createWebhook(system.tenant(tenantId, { type: 'system' }), { ...registration, url }))
  return tenantId
}

/** Stages events as the product does, each in a transaction of its own; every one becomes a row for each webhook. */
export async function stageEvents(services: Services, tenantId: TenantId, count: number, from = 0): Promise<void> {
  const { data } = EXAMPLE as { data: object }
  let next = from
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = next++; i < from + count; i = next++) {
        await services.run((system) => {
          const scope = system.tenant(tenantId, { type: 'system' })
          return scope.tx((tx) =>
            stageEvent(scope, tx, { type: 'response.completed', surveyId: null, source: `bench:${i}`, data }),
          )
        })
      }
    }),
  )
}

export async function countUndelivered(services: Services): Promise<number> {
  const [row] = await services.database.asOwner((owner) =>
    owner.query<{ n: number }>(`select count(*)::int as n from webhook_deliveries where status <> 'delivered'`),
  )
  return row?.n ?? 0
}

/**
 * CPU seconds so far of this process, the receiver and PostgreSQL; zero where the system does not tell (`/proc` of
 * Linux does).
 */
export function cpuSeconds(rig: Rig): { worker: number; receiver: number; postgres: number } {
  const { user, system } = process.cpuUsage()
  return {
    worker: (user + system) / 1e6,
    receiver: cpuOf(rig.receiver.process.pid ?? 0),
    postgres: cpuOfPostgres(rig.postmaster ?? 0),
  }
}

export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}, Node ${process.version}`
}

export function percentile(values: number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: number[]): number {
  return percentile(values, 50)
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One line against a limit, as the tables of docs/performance.md show it. */
export function verdict(
  what: string,
  value: number,
  limit: { atLeast: number } | { atMost: number },
  digits = 2,
): void {
  const [held, text] =
    'atLeast' in limit
      ? [value >= limit.atLeast, `at least ${limit.atLeast}`]
      : [value <= limit.atMost, `at most ${limit.atMost}`]
  say(`${held ? 'ok  ' : 'MISS'}  ${what}: ${value.toFixed(digits)} (${text})`)
  if (!held) process.exitCode = 1
}
