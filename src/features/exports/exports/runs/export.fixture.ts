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
import { READ_BYTES, type ExportKey, type ExportLine } from '../../../../platform/export-source.ts'
import { exportOf } from '../../../../platform/fields/lists.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { makeLiveSurvey } from '../../../../testing/makers.ts'
import { inWorkspace } from '../../../../testing/send-fixture.ts'
import type { SourceName } from '../definition/definition.ts'
import { exportDeliveriesSweep, exportRunsSweep } from '../exports.feature.ts'

const SPEC = {
  surveyId: null,
  filter: null,
  answers: 'wide',
  labels: 'ids',
  language: null,
  shows: ['people.manage', 'leads.manage'],
  snapshotAt: new Date('2100-01-01'),
} as const

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
        await runSweep(server, exportDeliveriesSweep)
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

/** Reads all keys as a run does. Returns the keys of each time, and what was read. */
export function readAll(
  { server, workspace }: ExportHouse,
  source: SourceName,
  fields: string[],
): Promise<{ pages: number[]; lines: ExportLine[] }> {
  return inWorkspace(server, workspace, async (scope: Scope) => {
    const { select, read } = exportOf(source)
    const spec = { ...SPEC, shows: [...SPEC.shows] }
    const found = await scope.read(async (tx) => tx.many(await select(scope, tx, spec)))
    let left: ExportKey[] = found.toSorted((a, b) => (`${a.id} ${a.member}` < `${b.id} ${b.member}` ? -1 : 1))
    const pages = []
    const lines: ExportLine[] = []
    while (left.length > 0) {
      const { rows, done } = await scope.read((tx) => read(scope, tx, left, spec, fields))
      let bytes = 0
      for (const row of rows)
        for (const line of row) {
          lines.push(line)
          bytes += JSON.stringify(line).length
        }
      expect(bytes).toBeLessThan(2 * READ_BYTES)
      pages.push(done)
      left = left.slice(done)
    }
    return { pages, lines }
  })
}
