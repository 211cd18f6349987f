import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startProcess, type TestProcess } from '../src/testing/process.ts'
import { createClient, isAnswer, until, type Answer } from './load.ts'
import { startReceiverProcess, type ReceiverProcess } from './receiver.ts'

const READY_MS = 60_000
export const SECRETS_KEY = 'a-key-for-faults-that-is-long-enough'

/** Earshot's processes on one database, with a receiver, and everything that a run leaves behind. */
export interface Rig {
  receiver: ReceiverProcess
  /** A real process, ended with the rig at the latest. */
  start(settings: Record<string, string>): TestProcess
  /** The same, once it is ready to serve. Returns its URL as well. */
  serve(settings: Record<string, string>): Promise<{ process: TestProcess; url: string }>
  /** A superuser's look at the tables. Asked again while the database is away. */
  look<Row>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

export async function createRig(databaseUrl: string, receiverHost?: string): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ear-torture-'))
  const receiver = await startReceiverProcess(receiverHost)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => {})
  const started: TestProcess[] = []
  const start: Rig['start'] = (settings) => {
    const process = startProcess({
      DATABASE_URL: databaseUrl,
      SECRETS_KEY,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...settings,
    })
    started.push(process)
    return process
  }
  return {
    receiver,
    start,
    async serve(settings) {
      const process = start(settings)
      const url = await process.url
      if (!(await until(() => isReady(url), READY_MS)))
        throw new Error(`a process was not ready in time: ${process.stdout()}${process.stderr()}`)
      return { process, url }
    },
    async look<Row>(text: string, values: unknown[] = []) {
      const rows = await pool.query(text, values)
      return rows.rows as Row[]
    },
    async stop() {
      await Promise.all(started.map((process) => process.kill('SIGKILL')))
      receiver.stop()
      await pool.end()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => null)
  await answer?.text()
  return answer?.status === 200
}

export interface Workspace {
  token: string
  /** The public path that takes submissions. */
  submitPath: string
  surveyPath: string
  webhookIds: string[]
}

/** A workspace with a live survey and one webhook for each URL, by HTTP as anybody would make them. */
export async function createWorkspace(url: string, hooks: string[]): Promise<Workspace> {
  const client = createClient()
  const post = async (path: string, body: unknown, token?: string): Promise<Answer['body']> => {
    const answer = await client.call('POST', `${url}${path}`, { body, ...(token && { token }) })
    if (!isAnswer(answer) || answer.status >= 300) throw new Error(`POST ${path} failed: ${JSON.stringify(answer)}`)
    return answer.body
  }
  const email = `ada-${Math.random()}@example.com`
  const { token } = await post('/public/workspaces', {
    workspace_name: 'Faults',
    name: 'Ada',
    email,
    password: 'correct horse battery',
  })
  const questions = [
    { id: 'q1', type: 'nps', title: 'How likely are you to recommend us?', required: true },
    { id: 'q2', type: 'open_text', title: 'Tell us more', format: 'text' },
  ]
  const survey = await post('/v1/surveys', { name: 'Faults', metric: 'nps', questions, custom_fields: ['n'] }, token)
  await post(`/v1/surveys/${survey.id}/publish`, {}, token)
  const webhookIds: string[] = []
  for (const hook of hooks)
    webhookIds.push((await post('/v1/webhooks', { url: hook, events: ['response.completed'] }, token)).id)
  await client.close()
  const surveyPath = `/public/surveys/${survey.id}`
  return { token, surveyPath, submitPath: `${surveyPath}/responses`, webhookIds }
}

/** A submission that can be told from every other, in the database too. */
export function submission(n: number): object {
  return { answers: { q1: n % 11, q2: `Words number ${n}` }, custom_data: { n: String(n) } }
}

/** Settings that put a process on a host with a wrong clock or with names of our choice. */
export function hostileHost(settings: { HOST_CLOCK_OFFSET_MS?: string; HOST_NAMES?: string }): Record<string, string> {
  return { NODE_OPTIONS: `--import=${new URL('hostile-host.ts', import.meta.url).href}`, ...settings }
}

/** Resident memory of a process, in megabytes. */
export function memoryOf({ pid }: TestProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}
