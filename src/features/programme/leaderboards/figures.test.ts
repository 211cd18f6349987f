import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'

let server: TestServer
let workspace: TestWorkspace
let surveyId: string

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, custom_fields: ['agent_id'] })
})

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: workspace.token, body })
const answer = (q1: number, agent_id: string) =>
  submit(server, surveyId, { answers: { q1 }, custom_data: { agent_id } })

describe('an agent is named', () => {
  test('in custom data, by id or external id; an unknown external id makes one', async () => {
    const known = (await call('POST', '/agents', { external_id: 'e-1', name: 'Grace' })).body
    for (const name of [known.id, 'e-1', 'e-2', ' e-2 ']) await answer(9, name)
    const { data } = (await call('GET', '/agents')).body
    expect(data).toMatchObject([
      { external_id: 'e-2', name: 'e-2' },
      { external_id: 'e-1', name: 'Grace' },
    ])
    const ids = (await call('GET', '/responses')).body.data.map((row: { agent_id: string }) => row.agent_id)
    expect(ids).toEqual([data[0].id, data[0].id, known.id, known.id])
    const refused = await server.request('POST', `/public/surveys/${surveyId}/responses`, {
      body: { answers: { q1: 9 }, custom_data: { agent_id: 'agt_01jd8m2t4he6r7s8t9v0w1x2y3' } },
    })
    expect(refused.status).toBe(422)
    expect(refused.body.issues[0].path).toBe('custom_data.agent_id')
  })

  test('of a survey that does not declare the field, by nobody', async () => {
    const other = await makeLiveSurvey(server, workspace)
    const refused = await server.request('POST', `/public/surveys/${other}/responses`, {
      body: { answers: { q1: 9 }, custom_data: { agent_id: 'e-1' } },
    })
    expect(refused.status).toBe(422)
    expect((await call('GET', '/agents')).body.data).toEqual([])
  })

  test('for a recipient and for a response', async () => {
    await inviteToSurvey(server, workspace, surveyId, {
      recipients: [{ email: 'ann@example.com', agent_id: 'e-7' }],
    })
    const [agent] = (await call('GET', '/agents')).body.data
    expect((await call('GET', '/sends')).body.data).toMatchObject([{ agent_id: agent.id }])
    const unknown = await call('POST', `/surveys/${surveyId}/invite`, {
      channel: 'email',
      recipients: [{ email: 'bob@example.com', agent_id: 'agt_x' }],
    })
    expect(unknown.status).toBe(422)
    expect(unknown.body.issues[0].path).toBe('recipients.0.agent_id')
    const { id } = await submit(server, surveyId, { answers: { q1: 9 } })
    expect((await call('PATCH', `/responses/${id}`, { agent_id: 'e-7' })).body.agent_id).toBe(agent.id)
    expect((await call('PATCH', `/responses/${id}`, { agent_id: 'agt_x' })).body.issues[0].path).toBe('agent_id')
    expect((await call('PATCH', `/responses/${id}`, { agent_id: null })).body.agent_id).toBeNull()
  })

  test('once by each external id', async () => {
    await call('POST', '/agents', { external_id: 'e-1', name: 'A' })
    expect((await call('POST', '/agents', { external_id: 'e-1', name: 'B' })).body.code).toBe('external_id_taken')
    await Promise.all(Array.from({ length: 10 }, () => answer(9, 'e-9')))
    expect((await call('GET', '/agents?external_id=e-9')).body.data).toHaveLength(1)
  })
})

test('a scorecard has the figure, the period before, a trend, bands and a rank', async () => {
  for (const q1 of [10, 10, 0]) await answer(q1, 'e-1')
  server.clock.advance(2 * 3_600_000)
  const [agent] = (await call('GET', '/agents')).body.data
  const card = await call('GET', `/agents/${agent.id}/scorecard?from=2026-03-02&to=2026-03-03`)
  expect(card.status, card.text).toBe(200)
  expect(card.body).toMatchObject({
    agent: { external_id: 'e-1' },
    n: 3,
    score: 33.33,
    mean: null,
    // Too few answers for one.
    interval: null,
    previous: { n: 0, score: null },
    trend: [
      { date: '2026-03-02', n: 3, score: 33.33 },
      { date: '2026-03-03', n: 0, score: null },
    ],
    bands: { promoter: 2, passive: 0, detractor: 1 },
    topics: [],
    response_rate: null,
    rank: null,
  })
  const next = await call('GET', `/agents/${agent.id}/scorecard?from=2026-03-03&to=2026-03-03`)
  expect(next.body).toMatchObject({ n: 0, previous: { n: 3, score: 33.33 } })
  // The answers came at 10:00 UTC: in Auckland on the same day, in Honolulu at midnight of it.
  for (const [zone, n] of [
    ['Pacific/Auckland', 3],
    ['Pacific/Honolulu', 3],
    ['Pacific/Pago_Pago', 0],
  ] as const) {
    const local = await call('GET', `/agents/${agent.id}/scorecard?from=2026-03-02&to=2026-03-02&timezone=${zone}`)
    expect(local.body.n, zone).toBe(n)
  }
  expect((await call('GET', `/agents/${agent.id}/scorecard?survey_id=srv_x`)).body.n).toBe(0)
})

test('a leaderboard ties neighbours whose intervals overlap, and counts those below the minimum', async () => {
  const give = async (name: string, scores: Array<[number, number]>) => {
    for (const [q1, times] of scores) for (let n = 0; n < times; n++) await answer(q1, name)
  }
  await give('best', [[10, 12]])
  await give('good', [
    [10, 11],
    [8, 1],
  ])
  await give('poor', [[0, 12]])
  await give('few', [[10, 3]])
  const board = await call('GET', '/agents/leaderboard')
  expect(board.status, board.text).toBe(200)
  const rows = board.body.data.map((row: { agent: { name: string }; position: number; tied_with_next: boolean }) => [
    row.agent.name,
    row.position,
    row.tied_with_next,
  ])
  expect(rows).toEqual([
    ['best', 1, true],
    ['good', 1, false],
    ['poor', 3, false],
  ])
  expect(board.body).toMatchObject({ ranked: 3, below_minimum: 1 })
  expect((await call('GET', '/agents/leaderboard?limit=1')).body).toEqual({
    data: [board.body.data[0]],
    ranked: 3,
    below_minimum: 1,
  })
  expect((await call('GET', '/agents/leaderboard?min_n=3')).body.data).toHaveLength(4)
  const fromFour = (await call('GET', '/agents/leaderboard?min_n=4')).body
  expect([fromFour.data.length, fromFour.below_minimum]).toEqual([3, 1])
  const best = board.body.data[0].agent.id
  await call('PATCH', `/agents/${best}`, { team: 'North' })
  expect((await call('GET', '/agents/leaderboard?team=North')).body.data).toHaveLength(1)
  expect((await call('GET', `/agents/${best}/scorecard`)).body.rank).toEqual({ position: 1, of: 3 })
  await call('PATCH', `/agents/${best}`, { active: false })
  expect((await call('GET', '/agents/leaderboard')).body.data).toHaveLength(2)
})
