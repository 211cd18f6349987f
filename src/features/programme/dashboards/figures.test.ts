import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../../platform/database/database.ts'
import { parseId, type TenantId } from '../../../platform/ids.ts'
import { createApiKey, createMember, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { readInTime } from './data.service.ts'
import type { Query } from './query.ts'

const DAY = 86_400_000
const CSAT_SURVEY = {
  ...NPS_SURVEY,
  name: 'Support',
  metric: 'csat',
  questions: [{ id: 'q1', type: 'csat', title: 'T' }],
}

let server: TestServer
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, custom_fields: ['plan'] })
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1${path}`, { token, body })
const responses = (query: object) => ({ source: 'responses', measure: 'count', ...query })

async function give(scores: number[], { survey = surveyId, plan = 'pro' } = {}) {
  for (const q1 of scores) await submit(server, survey, { answers: { q1 }, custom_data: { plan } })
}

async function read(queries: Record<string, object>, more: object = {}, token = owner.token) {
  const answered = await call('POST', '/figures', { period: { days: 30 }, queries, ...more }, token)
  expect(answered.status, answered.text).toBe(200)
  return answered.body.figures
}

describe('figures', () => {
  test('compare with the period before, and say with an interval whether the change is clear', async () => {
    await give([10, 10, 10, 10, 10, 10, 10, 10, 9, 8])
    // A session would end in that time.
    const { key } = await createApiKey(server, owner.token, ['responses.manage'])
    server.clock.advance(31 * DAY)
    await give([0, 0, 0, 0, 0, 0, 0, 0, 1, 8])
    const compare = 'previous'
    const { nps, same, rate, count } = await read(
      {
        nps: responses({ measure: 'nps', compare }),
        same: responses({ measure: 'nps', compare: { all: [] } }),
        rate: responses({ measure: 'completion_rate', compare }),
        count: responses({ compare }),
      },
      {},
      key,
    )
    expect(nps).toMatchObject({ value: -90, previous: { value: 90 }, change: { value: -180, clear: true } })
    // Both half-widths are 18.59, so that of the difference is √2 times as wide.
    expect(nps.change).toEqual({ value: -180, low: -206.29, high: -153.71, clear: true })
    expect(same).toMatchObject({ compared: { value: -90 }, change: { value: 0, clear: false } })
    expect(rate).toMatchObject({ value: 100, change: null })
    expect(count).toMatchObject({ value: 10, previous: { value: 10 }, change: null })
  })

  test('compare with other rows, of the whole and of each group', async () => {
    await give([10, 10, 10, 10, 0])
    await give([0, 0, 0, 0, 10], { plan: 'free' })
    const is = (plan: string) => ({ all: [{ field: 'custom.plan', op: 'eq', value: plan }] })
    const query = { measure: 'nps', filter: is('pro'), compare: is('free') }
    const { all, groups } = await read({ all: responses(query), groups: responses({ ...query, by: ['channel'] }) })
    expect(all).toMatchObject({ n: 5, value: 60, compared: { n: 5, value: -60 }, change: { value: 120, clear: true } })
    expect(all.previous).toBeUndefined()
    expect(groups.rows).toMatchObject([{ value: 60, compared: { value: -60 }, change: { value: 120, clear: true } }])
  })

  test('compare with a year ago', async () => {
    const { nps } = await read({
      nps: responses({ compare: 'year', period: { from: '2026-01-01', to: '2026-01-31' } }),
    })
    expect(nps).toMatchObject({ value: 0, compared: { value: 0 } })
  })

  test('score each survey by its own metric', async () => {
    const csat = await makeLiveSurvey(server, owner, CSAT_SURVEY)
    await give([10, 10, 10, 10, 0])
    await give([5, 5, 5, 5, 1, 1], { survey: csat })
    const { scores, one, pairs, filtered } = await read({
      scores: responses({ measure: 'score', by: ['survey'], compare: 'previous', interval: 'week' }),
      one: responses({ measure: 'score', survey_ids: [csat] }),
      pairs: responses({ measure: 'score', by: ['survey', 'channel'] }),
      filtered: responses({
        measure: 'score',
        by: ['survey'],
        filter: { all: [{ field: 'state', op: 'eq', value: 'completed' }] },
      }),
    })
    expect(scores).toMatchObject({
      n: 11,
      unit: 'score',
      rows: [
        {
          key: csat,
          label: 'Support',
          metric: 'csat',
          n: 6,
          value: 66.67,
          previous: { n: 0, value: null },
          change: null,
        },
        { key: surveyId, label: 'After delivery', metric: 'nps', n: 5, value: 60 },
      ],
    })
    expect(scores.rows[0].series.at(-1)).toMatchObject({ n: 6 })
    expect(one).toMatchObject({ metric: 'csat', value: 66.67, mean: 3.67 })
    expect(pairs.rows).toMatchObject([{ metric: 'csat', groups: [{ by: 'survey', key: csat }, { by: 'channel' }] }, {}])
    expect(filtered.rows).toMatchObject([
      { key: csat, value: 66.67 },
      { key: surveyId, value: 60 },
    ])
    const refused = await call('POST', '/figures', {
      period: { days: 1 },
      queries: { s: responses({ measure: 'score' }) },
    })
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'queries.s.measure'])
  })

  test('group alerts, sends and deliveries', async () => {
    const rule = await call('POST', '/alert-rules', {
      name: 'Low',
      priority: 'high',
      trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 6 }] } },
    })
    expect(rule.status, rule.text).toBe(201)
    await give([0, 1])
    const {
      rule: byRule,
      status,
      owned,
      survey,
      events,
      sends,
    } = await read({
      rule: { source: 'alerts', measure: 'count', by: ['rule', 'priority'] },
      status: { source: 'alerts', measure: 'open_alerts', by: ['status'] },
      owned: { source: 'alerts', measure: 'count', by: ['owner'] },
      survey: { source: 'alerts', measure: 'count', by: ['survey'] },
      events: { source: 'webhook_deliveries', measure: 'count', by: ['webhook', 'event'] },
      sends: { source: 'sends', measure: 'count', by: ['status'] },
    })
    expect(byRule.rows).toMatchObject([{ label: 'Low, high', n: 2 }])
    expect(status.rows).toMatchObject([{ key: 'new', n: 2 }])
    expect(owned.rows).toEqual([])
    expect(survey.rows).toMatchObject([{ key: surveyId, n: 2 }])
    expect([events.rows, sends.rows]).toEqual([[], []])
    const viewer = await createMember(server, owner.token, 'viewer')
    const asked = { source: 'webhook_deliveries', measure: 'count' }
    const refused = await call('POST', '/figures', { period: { days: 1 }, queries: { asked } }, viewer.token)
    expect([refused.status, refused.body.permission ?? refused.body.detail]).toEqual([
      403,
      expect.stringContaining('integrations.manage'),
    ])
  })

  test('refuse what does not fit, each with its path, and a survey of another workspace', async () => {
    const other = await createWorkspace(server)
    const foreign = await makeLiveSurvey(server, other)
    for (const [query, status, path] of [
      [{ by: ['moon'] }, 400, 'queries.a.by.0'],
      [{ compare: 'tomorrow' }, 400, 'queries.a.compare'],
      [{ compare: { all: [{ field: 'moon', op: 'eq', value: 1 }] } }, 400, 'queries.a.compare.all.0.field'],
      [{ period: { from: '2026-02-02', to: '2026-01-01' } }, 400, 'queries.a.period.to'],
      [{ interval: 'day', period: { days: 3_000 } }, 400, 'queries.a.interval'],
      [{ survey_ids: [foreign] }, 422, 'queries.a.survey_ids.0'],
      [{ survey_ids: ['srv_x'] }, 422, 'queries.a.survey_ids.0'],
    ] as const) {
      const refused = await call('POST', '/figures', { period: { days: 1 }, queries: { a: responses(query) } })
      expect([refused.status, refused.body.issues[0].path]).toEqual([status, path])
    }
    for (const body of [
      { period: { days: 1 }, queries: {} },
      {
        period: { days: 1 },
        queries: Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`q${n}`, responses({})])),
      },
      { period: { days: 1 }, queries: { a: responses({}) }, more: 1 },
    ])
      expect((await call('POST', '/figures', body)).status).toBe(400)
  })

  test('count anonymous surveys only whole, and name those that are left out', async () => {
    const anonymous = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, name: 'Pulse', privacy: 'anonymous' })
    await give([10, 10, 10, 10, 10])
    for (const q1 of [0, 0, 0, 0, 10]) await submit(server, anonymous, { answers: { q1 } })
    const low = { all: [{ field: 'score', op: 'lte', value: 6 }] }
    const { all, bySurvey, byChannel, filtered, compared, only } = await read({
      all: responses({}),
      bySurvey: responses({ measure: 'nps', by: ['survey'], interval: 'month' }),
      byChannel: responses({ by: ['channel'] }),
      filtered: responses({ filter: low }),
      compared: responses({ compare: low }),
      only: responses({ by: ['survey', 'band'], survey_ids: [anonymous] }),
    })
    expect(all).toMatchObject({ n: 10 })
    expect(all.left_out).toBeUndefined()
    expect(bySurvey.rows).toMatchObject([{ n: 5 }, { n: 5 }])
    expect(bySurvey.rows.map((row: { value: number }) => row.value).toSorted()).toEqual([-60, 100])
    expect(byChannel).toMatchObject({ n: 5, left_out: [anonymous] })
    expect(filtered).toMatchObject({ n: 0, left_out: [anonymous] })
    expect(compared).toMatchObject({ n: 5, compared: { n: 0 }, left_out: [anonymous] })
    expect(only).toMatchObject({ n: 0, rows: [], left_out: [anonymous] })
    // One more answer waits for four others, here as in the report.
    await submit(server, anonymous, { answers: { q1: 0 } })
    expect((await read({ all: responses({ survey_ids: [anonymous] }) })).all.n).toBe(5)
  })

  test('count many surveys as they count few', async () => {
    for (let n = 0; n < 20; n++) await makeLiveSurvey(server, owner, { ...NPS_SURVEY, name: `Other ${n}` })
    await give([10, 10, 10, 10, 0])
    const score = { scores: responses({ measure: 'score', by: ['survey'], compare: 'previous' }) }
    const ofNps = { key: surveyId, metric: 'nps', n: 5, value: 60, previous: { n: 0 } }
    expect((await read(score)).scores).toMatchObject({ n: 5, rows: [ofNps] })
    const csat = await makeLiveSurvey(server, owner, CSAT_SURVEY)
    const anonymous = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, name: 'Pulse', privacy: 'anonymous' })
    await give([5, 5, 5, 5, 1, 1], { survey: csat })
    for (const q1 of [0, 0, 0, 0, 10]) await submit(server, anonymous, { answers: { q1 } })
    const { scores, nps, byChannel } = await read({
      ...score,
      nps: responses({ measure: 'nps' }),
      byChannel: responses({ measure: 'nps', by: ['channel'] }),
    })
    expect(scores.rows).toHaveLength(3)
    expect(scores.rows).toContainEqual(expect.objectContaining({ key: csat, metric: 'csat', n: 6, value: 66.67 }))
    expect(scores.rows).toContainEqual(expect.objectContaining({ key: anonymous, metric: 'nps', n: 5, value: -60 }))
    expect(nps).toMatchObject({ n: 10, value: 0 })
    expect(byChannel).toMatchObject({ n: 5, left_out: [anonymous], rows: [{ n: 5, value: 60 }] })
  })

  test('answer the others if one query takes too long', async () => {
    const common = { period: { days: 1 }, timezone: 'UTC', filter: { all: [] } }
    const queries = ['first', 'slow', 'next', 'slower', 'last'].map((name): [string, Query] => [
      name,
      { source: 'responses', measure: 'count', survey_ids: [name] },
    ])
    const asked = new Map(queries)
    const read: string[] = []
    const { figures } = await server.services.run((system) =>
      readInTime(
        system.tenant(parseId('workspace', owner.workspaceId) as TenantId, { type: 'system' }),
        common,
        asked,
        async ({ tx }, { survey_ids: [name = ''] = [] }) => {
          read.push(name)
          if (name.startsWith('slow')) await tx.one(sql`select pg_sleep(600)`)
          return { enough: true, n: 1, value: 1, unit: 'count' as const }
        },
        100,
      ),
    )
    const error = { code: 'too_slow', detail: expect.any(String) }
    const shown = { enough: true, n: 1, value: 1, unit: 'count' }
    expect(figures).toEqual({ first: shown, slow: { error }, next: shown, slower: { error }, last: shown })
    expect(read, 'none of them twice').toEqual([...asked.keys()])
  })

  test('share the time of one call, and what comes after it says so', async () => {
    const common = { period: { days: 1 }, timezone: 'UTC', filter: { all: [] } }
    const seconds = { first: 0, slow: 600, next: 0.1, last: 0.1 }
    const queries = Object.entries(seconds).map(([name, pause]): [string, Query] => [
      name,
      { source: 'responses', measure: 'count', survey_ids: [String(pause)] },
    ])
    const asked = new Map(queries)
    const { figures } = await server.services.run((system) =>
      readInTime(
        system.tenant(parseId('workspace', owner.workspaceId) as TenantId, { type: 'system' }),
        common,
        asked,
        async ({ tx }, { survey_ids: [pause = '0'] = [] }) => {
          await tx.one(sql`select pg_sleep(${pause}::float8)`)
          return { enough: true, n: 1, value: 1, unit: 'count' as const }
        },
        60_000,
        500,
      ),
    )
    const error = { code: 'too_slow', detail: expect.any(String) }
    const shown = { enough: true, n: 1, value: 1, unit: 'count' }
    expect(figures).toEqual({ first: shown, slow: { error }, next: { error }, last: { error } })
  })
})

test('the data of a dashboard takes another period, zone and filter for one call', async () => {
  await give([10, 0])
  const [{ id }] = (await call('GET', '/dashboards')).body.data
  const data = async (query: string) => call('GET', `/dashboards/${id}/data?${query}`)
  const low = encodeURIComponent(JSON.stringify({ all: [{ field: 'score', op: 'eq', value: 0 }] }))
  const shown = await data(`days=7&timezone=Europe/Berlin&filter=${low}`)
  expect(shown.status, shown.text).toBe(200)
  expect(shown.body.period.timezone).toBe('Europe/Berlin')
  expect(shown.body.widgets.responses).toMatchObject({ n: 1 })
  expect(shown.body.widgets.volume.series).toHaveLength(7)
  expect((await data('from=2026-01-01&to=2026-01-10')).body.widgets.volume.series).toHaveLength(10)
  expect((await call('GET', `/dashboards/${id}`)).body).toMatchObject({ period: { days: 30 }, filter: { all: [] } })
  for (const wrong of ['from=2026-01-01', 'days=7&from=2026-01-01&to=2026-01-02', 'days=0', 'days=3650', 'moon=1'])
    expect((await data(wrong)).status, wrong).toBe(400)
})
