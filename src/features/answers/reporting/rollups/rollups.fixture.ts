import { expect, vi } from 'vitest'
import { lowestIdAt, parseId, type Id, type TenantId } from '../../../../platform/ids.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { createApiKey, createWorkspace, runSweep } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { publishSurvey } from '../../../../testing/survey-fixtures.ts'
import { removeResponses } from '../../responses/responses.service.ts'
import { ReportQuery } from '../report/reporting.schema.ts'
import { readReport } from '../report/reporting.service.ts'
import { rollupSweep } from '../report/reporting.routes.ts'
import { requestRollups } from './rollups.service.ts'

const HOUR_MS = 3_600_000
export const START = new Date('2026-03-02T10:00:00Z')

const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'T' },
  { id: 'q2', type: 'csat', title: 'T' },
  {
    id: 'q3',
    type: 'multi',
    title: 'T',
    choices: [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
    ],
    allow_other: true,
  },
  { id: 'q4', type: 'date', title: 'T' },
  { id: 'q5', type: 'open_text', title: 'T' },
]

export interface Bench {
  server: TestServer
  token: string
  tenantId: TenantId
}

export async function openBench(engine: 'pg' | 'pglite'): Promise<Bench> {
  const server = await startTestServer({ engine, now: START })
  const { token, workspaceId } = await createWorkspace(server)
  const { key } = await createApiKey(server, token, ['surveys.manage', 'responses.manage'])
  return { server, token: key, tenantId: parseId('workspace', workspaceId) as TenantId }
}

export function inScope<T>(
  { server, tenantId }: Pick<Bench, 'server' | 'tenantId'>,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  return server.services.run((system) => work(system.tenant(tenantId, { type: 'system' })))
}

export async function rolledUpSurvey(bench: Bench): Promise<string> {
  const id = await publishSurvey(bench.server, bench.token, {
    questions: QUESTIONS,
    languages: ['en'],
    custom_fields: ['plan', 'many'],
  })
  await askForRollups(bench, [id])
  return id
}

export function uuid(id: string): Id<'survey'> {
  return parseId('survey', id) as Id<'survey'>
}

// Not over HTTP: a key would be past its allowance soon.
export function report(bench: Bench, id: string, query: Record<string, string>) {
  return inScope(bench, (scope) => readReport(scope, uuid(id), ReportQuery.parse(query)))
}

/** As a report with many responses does. */
export function askForRollups(bench: Pick<Bench, 'server' | 'tenantId'>, surveyIds: string[]): Promise<void> {
  return inScope(bench, async (scope) => {
    for (const id of surveyIds) await requestRollups(scope, uuid(id))
  })
}

/** Removes a response as retention does. */
export async function retain(bench: Pick<Bench, 'server' | 'tenantId'>, id: string): Promise<void> {
  const before = BigInt(`0x${parseId('response', id)?.replaceAll('-', '')}`) - 1n
  const after = before
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  // Ids follow the host's clock, not the test's.
  const ages = { before: new Date('2100-01-01'), below: lowestIdAt(new Date('2100-01-01')) }
  await inScope(bench, (scope) => scope.tx((tx) => removeResponses(scope, tx, { ...ages, after, limit: 1 })))
}

/** Lets hours pass, and rolls up everything that is over. */
export async function passHours({ server }: Pick<Bench, 'server'>, hours: number): Promise<void> {
  server.clock.advance(hours * HOUR_MS)
  // A sweep waits for transactions of other databases on this server too.
  await vi.waitFor(
    async () => {
      await runSweep(server, rollupSweep)
      const open = await server.peek('select 1 from report_surveys where rolled_until < sealed_until')
      expect(open).toEqual([])
    },
    { timeout: 30_000 },
  )
}

export function rolledRows({ server }: Bench, id: string): Promise<{ minutes: number; responses: number }[]> {
  return server.peek('select minutes, responses from report_rollups where survey_id = $1 order by minutes, starts_at', [
    uuid(id),
  ])
}
