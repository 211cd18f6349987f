import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../../testing/fixtures.ts'
import {
  startTestServer,
  type TestAnswer,
  type TestServer,
  type TestServerOptions,
} from '../../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../../testing/makers.ts'
import { exportRunsSweep } from './runs.sweeps.ts'

export interface ExportHouse {
  server: TestServer
  workspace: TestWorkspace
  surveyId: string
  dataDir: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  /** Accepts a run, and returns its id. */
  order(body: object): Promise<string>
  /** Runs a run to its end and returns it. */
  finish(id: string): Promise<TestAnswer['body']>
  /** The parts of a completed run as bytes, checked against its manifest. */
  download(id: string): Promise<Buffer[]>
  close(): Promise<void>
}

/** A server with a workspace, a survey, and a folder for files. */
export async function openExports(survey?: object, options: TestServerOptions = {}): Promise<ExportHouse> {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-exports-'))
  const server = await startTestServer({ ...options, env: { DATA_DIR: dataDir, ...options.env } })
  const workspace = await createWorkspace(server)
  const call: ExportHouse['call'] = (method, path, body, headers = {}) =>
    server.request(method, path, { token: workspace.token, headers, ...(body !== undefined && { body }) })
  const fetchPart = (id: string, n: number) =>
    server.app.fetch(
      new Request(`http://localhost/v1/export-runs/${id}/parts/${n}`, {
        headers: { authorization: `Bearer ${workspace.token}` },
      }),
    )
  return {
    server,
    workspace,
    surveyId: await makeLiveSurvey(server, workspace, survey),
    dataDir,
    call,
    async order(body) {
      const answer = await call('POST', '/v1/export-runs', body)
      expect(answer.status, answer.text).toBe(202)
      expect(answer.headers.get('location')).toBe(`/v1/export-runs/${answer.body.id}`)
      return answer.body.id
    },
    async finish(id) {
      for (let round = 0; round < 5; round++) {
        await runSweep(server, exportRunsSweep)
        const { body } = await call('GET', `/v1/export-runs/${id}`)
        if (body.completed_at || body.cleanup) return body
      }
      expect.fail('the run did not end')
    },
    async download(id) {
      const manifest = await call('GET', `/v1/export-runs/${id}/manifest`)
      expect(manifest.status, manifest.text).toBe(200)
      const found: Buffer[] = []
      for (const { n, bytes, sha256 } of manifest.body.parts) {
        const part = Buffer.from(await (await fetchPart(id, n)).arrayBuffer())
        expect(part.byteLength).toBe(bytes)
        expect(createHash('sha256').update(part).digest('hex')).toBe(sha256)
        found.push(part)
      }
      return found
    },
    async close() {
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
