import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import { createApiKey, createWorkspace, runSweep } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { rollupSweep } from '../../answers/reporting/report/reporting.routes.ts'
import { requestRollups } from '../../answers/reporting/rollups/rollups.service.ts'

const HOUR = 3_600_000

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('filtered and grouped figures are the same from facts and from single responses', async () => {
  const owner = await createWorkspace(server)
  const survey = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, custom_fields: ['agent_id'] })
  // A session would be over before the last day.
  const { key: token } = await createApiKey(server, owner.token, ['responses.manage', 'dashboards.manage'])
  const call = (method: string, path: string, body?: unknown) => server.request(method, `/v1${path}`, { token, body })
  const days = async (n: number) => {
    for (let day = 0; day < n; day += 1) {
      for (const q1 of [10, 9, 8, 3, 0, day]) {
        const { id } = await submit(server, survey, { answers: { q1 }, custom_data: { agent_id: `e-${q1 % 2}` } })
        if (q1 === 8) await call('POST', `/responses/${id}/tags`, { tags: ['vip', `day-${day}`] })
        if (q1 === 3) await call('POST', `/responses/${id}/quarantine`)
        server.clock.advance(2 * HOUR)
      }
      server.clock.advance(12 * HOUR)
    }
  }
  await server.services.run((system) =>
    requestRollups(
      system.tenant(parseId('workspace', owner.workspaceId) as TenantId, { type: 'system' }),
      parseId('survey', survey) as Id<'survey'>,
    ),
  )
  const facts = () => server.peek<{ n: number }>('select count(distinct starts_at)::int as n from report_facts')
  await days(3)
  server.clock.advance(24 * HOUR)
  await expect
    .poll(async () => {
      await runSweep(server, rollupSweep)
      return (await facts())[0]?.n
    })
    .toBeGreaterThanOrEqual(3)
  await days(1)

  const filter = {
    any: [
      { field: 'score', op: 'gte', value: 8 },
      { field: 'tag', op: 'eq', value: 'vip' },
    ],
  }
  const queries = [
    { measure: 'count', by: ['channel'] },
    { measure: 'nps', by: ['band'], compare: 'previous' },
    { measure: 'completion_rate', by: ['agent'] },
    { measure: 'count', by: ['tag'], interval: 'day' },
    { measure: 'nps', by: ['language'], filter },
    { measure: 'count', filter, compare: 'previous' },
    { measure: 'nps', filter, interval: 'week' },
  ]
  const widgets = queries.map((query, n) => ({
    id: `w${n}`,
    kind: 'table',
    title: 'T',
    query: { source: 'responses', ...query },
    layout: { x: 0, y: n, w: 4, h: 3 },
  }))
  const period = { days: 10 }
  const made = await call('POST', '/dashboards', { name: 'D', timezone: 'Asia/Kathmandu', period, widgets })
  expect(made.status, made.text).toBe(201)
  const show = async () => (await call('GET', `/dashboards/${made.body.id}/data`)).body.widgets
  const byFacts = await show()
  await server.peek('delete from report_facts')
  expect(byFacts).toEqual(await show())
  expect(byFacts.w0.rows[0].n).toBeGreaterThan(15)
})
