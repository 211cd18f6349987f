import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'

const DAY_MS = 86_400_000
// More than a widget names.
const PLANS = 1_005

let server: TestServer
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, custom_fields: ['plan', 'agent_id'] })
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: owner.token, body })
const answer = async (q1: number, custom: object): Promise<string> =>
  (await submit(server, surveyId, { answers: { q1 }, custom_data: custom })).id

const make = (query: object) =>
  call('POST', '/dashboards', {
    name: 'Ours',
    period: { days: 10 },
    widgets: [
      {
        id: 'w',
        kind: 'table',
        title: 'T',
        query: { source: 'responses', measure: 'count', ...query },
        layout: { x: 0, y: 0, w: 4, h: 3 },
      },
    ],
  })
async function show(query: object) {
  const made = await make(query)
  expect(made.status, made.text).toBe(201)
  return (await call('GET', `/dashboards/${made.body.id}/data`)).body.widgets.w
}

test('two groups give a row for each pair, with the names of both', async () => {
  for (const q1 of [10, 10, 0]) await answer(q1, { plan: 'pro, "max"', agent_id: 'e-1' })
  await answer(10, { plan: 'free', agent_id: 'e-1' })
  await answer(10, {})
  const [agent] = (await call('GET', '/agents?external_id=e-1')).body.data
  const { n, rows } = await show({ by: ['agent', 'custom.plan'], interval: 'day', compare: 'previous' })
  expect(n).toBe(4)
  expect(rows).toMatchObject([
    {
      key: `${agent.id}, pro, "max"`,
      label: 'e-1, pro, "max"',
      n: 3,
      groups: [
        { by: 'agent', key: agent.id, label: 'e-1' },
        { by: 'custom.plan', key: 'pro, "max"', label: 'pro, "max"' },
      ],
      previous: { n: 0 },
    },
    { n: 1, groups: [{ label: 'e-1' }, { label: 'free' }] },
  ])
  expect(rows[0].series.map((point: { n: number }) => point.n)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 3])
  const byBand = await show({ by: ['custom.plan', 'band'] })
  expect(byBand.rows.map((row: { label: string; n: number }) => [row.label, row.n])).toEqual([
    ['pro, "max", promoter', 2],
    ['free, promoter', 1],
    ['pro, "max", detractor', 1],
  ])
  for (const [by, path] of [
    [['band', 'band'], 'widgets.0.query.by.1'],
    [['band', 'moon'], 'widgets.0.query.by.1'],
    [['band', 'channel', 'language'], 'widgets.0.query.by'],
  ])
    expect((await make({ by })).body.issues).toMatchObject([{ path }])
})

test('the smallest of more than 1,000 groups count in the total alone, and in the period before for themselves', async () => {
  const id = await answer(9, { plan: 'p' })
  // One response of each plan ten days ago, and today one more of each but the first, which has fifty.
  const earlier = new Date(server.clock.now().getTime() - 10 * DAY_MS)
  await server.peek(
    `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data,
       path, metric, score, band, started_at, completed_at, tags, notes, quality_flags, quotas, updated_at)
     select r.tenant_id, gen_random_uuid(), r.survey_id, 1, 'completed', 'web', 'en', '[]', '[]',
       jsonb_build_object('plan', lpad(plan::text, 4, '0')), '{}', 'nps', 9, 'promoter', at, at, '{}', '[]', '{}', '{}', at
     from responses r cross join generate_series(1, $2::int) as plan cross join unnest($3::timestamptz[]) as given (at)
       cross join lateral generate_series(1, case when plan = 1005 and at = r.completed_at then 50 else 1 end) as copy
     where r.id = $1`,
    [parseId('response', id), PLANS, [earlier, server.clock.now()]],
  )
  const filter = { all: [{ field: 'custom.plan', op: 'starts_with', value: '0' }] }
  const all = { any: [filter, { field: 'custom.plan', op: 'starts_with', value: '1' }] }
  const { n, rows } = await show({ by: ['custom.plan'], filter: all, compare: 'previous', interval: 'day', limit: 2 })
  expect(n).toBe(PLANS + 49)
  expect(rows).toMatchObject([
    { key: '1005', n: 50, previous: { n: 1 } },
    { key: '0001', n: 1, previous: { n: 1 } },
  ])
  expect(rows[0].series.at(-1)).toMatchObject({ n: 50 })
})
