import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAnswer } from '../../../testing/harness.ts'
import { startProcess, type TestProcess } from '../../../testing/process.ts'

const TRACES = ['wilhelmina', 'planted', 'lighthouse']

let dataDir: string
let server: TestProcess
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'earshot-files-'))
  server = startProcess({ DATA_DIR: dataDir })
})
afterAll(async () => {
  await server.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

/** The files under the data directory with a trace of the person. */
async function filesWithTraces(): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const found = []
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const text = (await readFile(path).catch(() => Buffer.alloc(0))).toString('latin1').toLowerCase()
    if (TRACES.some((trace) => text.includes(trace))) found.push(path.slice(dataDir.length))
  }
  return found
}

test(
  'no file of the embedded database shows an erased person once the request has ended',
  { timeout: 120_000 },
  async () => {
    const base = await server.url
    let token = ''
    const call = async (method: string, path: string, body?: object): Promise<Pick<TestAnswer, 'status' | 'body'>> => {
      const answer = await fetch(base + path, {
        method,
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: answer.status === 204 ? null : await answer.json() }
    }
    await expect.poll(async () => (await call('GET', '/health/ready')).status, { timeout: 60_000 }).toBe(200)
    const owner = { workspace_name: 'Acme', name: 'Ada', email: 'ada@example.com', password: 'a long password' }
    token = (await call('POST', '/public/workspaces', owner)).body.token
    const questions = [
      { id: 'q1', type: 'nps', title: 'T', required: true },
      { id: 'q2', type: 'open_text', title: 'T' },
    ]
    const survey = (await call('POST', '/v1/surveys', { name: 'T', metric: 'nps', questions })).body.id
    await call('POST', `/v1/surveys/${survey}/publish`, {})
    await call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/' })
    const email = 'wilhelmina.planted@example.com'
    for (let n = 0; n < 20; n++) {
      const words = n % 2 === 0 ? `I am ${email} of the lighthouse` : 'Somebody else'
      await call('POST', `/public/surveys/${survey}/responses`, { answers: { q1: 9, q2: words } })
    }
    await call('POST', `/v1/surveys/${survey}/invite`, { channel: 'email', recipients: [{ email, name: 'Planted' }] })
    expect(await filesWithTraces()).not.toEqual([])
    const { id } = (await call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).body
    const request = async () => (await call('GET', `/v1/gdpr/requests/${id}`)).body
    await expect.poll(async () => (await request()).status, { timeout: 60_000 }).toBe('completed')
    expect((await request()).counts).toMatchObject({ responses: 10, events: 10, sends: 1 })
    expect(await filesWithTraces()).toEqual([])
    await server.kill('SIGTERM')
    expect(await filesWithTraces()).toEqual([])
  },
)
