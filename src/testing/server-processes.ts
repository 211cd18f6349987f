import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { copyMigratedFolder, createDatabase } from './harness.ts'
import { gateTo, startProcess, type Gate, type TestProcess } from './process.ts'

export const PASSWORD = 'correct horse battery'
export const SECRETS_KEY = 'a-key-of-this-test-that-is-long-enough'
/** Making the files of an embedded database takes 3 s on an idle machine. */
export const STARTING = { timeout: 60_000, interval: 50 }

let folder: string
let started: TestProcess[]
let cleanups: Array<() => Promise<unknown>>

/** A folder for each test, and an end for each process that a test starts. */
export function useServerProcesses(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ear-server-'))
    started = []
    cleanups = []
  })
  afterEach(async () => {
    await Promise.all(started.map((process) => process.kill('SIGKILL')))
    for (const cleanup of cleanups.reverse()) await cleanup()
    await rm(folder, { recursive: true, force: true })
  })
}

/** The present test's folder. */
export function ownFolder(): string {
  return folder
}

export function cleanUpBy(...work: Array<() => Promise<unknown>>): void {
  cleanups.push(...work)
}

/** Puts a migrated embedded database into the folder. */
export async function useMadeDatabase(): Promise<void> {
  const made = await copyMigratedFolder()
  await cp(made, folder, { recursive: true })
  await rm(made, { recursive: true })
}

export function start(settings: Record<string, string>): TestProcess {
  const server = startProcess({ DATA_DIR: folder, ...settings })
  started.push(server)
  return server
}

export async function ready(server: TestProcess): Promise<string> {
  const url = await server.url
  await expect.poll(() => readiness(url), STARTING).toBe(200)
  return url
}

export async function readiness(url: string): Promise<number> {
  const answer = await fetch(`${url}/health/ready`)
  await answer.text()
  return answer.status
}

export async function expectAway(url: string): Promise<void> {
  expect((await fetch(`${url}/health`)).status).toBe(200)
  const asked = performance.now()
  const probe = await fetch(`${url}/health/ready`)
  expect(performance.now() - asked).toBeLessThan(2_500)
  expect(probe.status).toBe(503)
  expect(probe.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await probe.json()).toEqual({ ok: false, db: 'down' })
  const answers = await Promise.all([
    post(url, '/public/workspaces', account('away@example.com')),
    post(url, '/public/sessions', { email: 'away@example.com', password: PASSWORD }),
    fetch(`${url}/public/surveys/srv_01jqe5v0k8e9r9d3z2m6h7t4xw`).then(read),
  ])
  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 503,
      type: 'application/problem+json',
      body: { status: 503, code: 'unavailable', request_id: expect.any(String), retry_after: expect.any(Number) },
    })
    expect(answer.retryAfter).toMatch(/^\d+$/)
  }
  expect((await fetch(`${url}/nowhere`)).status).toBe(404)
}

export async function fresh(): Promise<string> {
  const { url, drop } = await createDatabase()
  cleanups.push(drop)
  return url
}

export async function gated(databaseUrl: string): Promise<{ gate: Gate; url: string }> {
  const gated = await gateTo(databaseUrl)
  cleanups.push(() => gated.gate.close())
  return gated
}

export function account(email: string) {
  return { workspace_name: 'Acme', name: 'Ada', email, password: PASSWORD }
}

export async function signUp(url: string, email: string): Promise<number> {
  return (await post(url, '/public/workspaces', account(email))).status
}

export function json(body: unknown, token?: string): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  }
}

export async function post(url: string, path: string, body: unknown, token?: string) {
  return read(await fetch(`${url}${path}`, json(body, token)))
}

export async function read(response: Response) {
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    retryAfter: response.headers.get('retry-after'),
    body: text ? JSON.parse(text) : null,
  }
}

export function lines(text: string): string[] {
  return text.split('\n').filter(Boolean)
}
