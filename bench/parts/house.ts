import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { createApp } from '../../src/app.ts'
import { createDatabaseClock } from '../../src/platform/loop/clock.ts'
import { parseConfig } from '../../src/platform/config/config.ts'
import { createLog } from '../../src/platform/config/log.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createServices, type Services } from '../../src/services.ts'
import { startPostgres } from '../../src/testing/database/postgres.ts'
import { SECRETS_KEY } from './rig.ts'

/** A server in this process, on a fresh database, with one workspace. */
export interface House {
  services: Services
  base: string
  /** The session of the owner. */
  token: string
  workspaceId: string
  databaseUrl: string
  /** Calls the API over HTTP, as the owner below `/v1`. Throws what is no success. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
  /** A GET of a page that is not JSON. Returns it whole. */
  download(path: string): Promise<Buffer>
  /** A statement as the database's owner. */
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>
  close(): Promise<void>
}

export async function openHouse({ onStatement }: { onStatement?: (text: string) => void } = {}): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'))
  const postgres = await startPostgres([])
  const config = parseConfig({
    LOG_LEVEL: 'error',
    SECRETS_KEY,
    DATABASE_URL: postgres.url('postgres'),
    DATA_DIR: dataDir,
  })
  const services = await createServices(config, {
    log: createLog('error'),
    clock: createDatabaseClock(),
    ...(onStatement && { onStatement }),
  })
  await migrate(services.database)
  const server = serve({ fetch: createApp(services).fetch, port: 0, hostname: '127.0.0.1', createServer })
  if (!server.listening) await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let token = ''
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(path.startsWith('/v1') && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const call = async <Answer>(method: string, path: string, body?: unknown) =>
    (await (await send(method, path, body)).json()) as Answer
  const made = await call<{ token: string; workspace: { id: string } }>('POST', '/public/workspaces', {
    workspace_name: 'Bench',
    name: 'Bench',
    email: 'bench@example.com',
    password: 'a long password',
  })
  token = made.token
  return {
    services,
    base,
    token,
    workspaceId: made.workspace.id,
    databaseUrl: postgres.url('postgres'),
    call,
    download: async (path) => Buffer.from(await (await send('GET', path)).arrayBuffer()),
    sql: (text, values = []) => services.database.asOwner((owner) => owner.query(text, values)),
    async close() {
      await new Promise((done) => server.close(done))
      await services.close()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Milliseconds that the work took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export function ms(value: number): string {
  return `${value.toFixed(0)} ms`
}

export function seconds(value: number): string {
  return `${(value / 1000).toFixed(1)} s`
}
