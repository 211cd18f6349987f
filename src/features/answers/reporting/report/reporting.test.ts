import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVERY_TYPE } from '../../../../survey-engine/survey.fixture.ts'
import { createApiKey, createWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { createDraft, publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  // A key, because a session would end while these tests move the clock by months.
  token = (await createApiKey(server, (await createWorkspace(server)).token, ['surveys.manage', 'responses.manage']))
    .key
})
afterAll(() => server.close())

async function report(id: string, query: Record<string, string> = {}) {
  const answer = await server.request('GET', `/v1/surveys/${id}/report?${new URLSearchParams(query)}`, { token })
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return answer.body
}

async function submitAt(at: string, id: string, answers: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  server.clock.set(new Date(at))
  const answer = await submit(server, id, answers, rest)
  expect(answer, answer.text).toMatchObject({ status: 201 })
  return answer.body
}

describe('the figures', () => {
  test('of 32 promoters, 13 passives and 6 detractors are NPS 50.98', async () => {
    const id = await publishSurvey(server, token)
    const scores = [
      ...Array<number>(20).fill(10),
      ...Array<number>(12).fill(9),
      ...Array<number>(13).fill(7),
      0,
      1,
      2,
      3,
      5,
      6,
    ]
    for (const q1 of scores) expect((await submit(server, id, { q1 })).status).toBe(201)
    await submit(server, id, { q1: 0 }, { completed: false })
    const body = await report(id)
    expect(body.nps).toEqual({
      score: 50.98,
      promoters: 32,
      passives: 13,
      detractors: 6,
      n: 51,
      margin_of_error: 19.12,
      interval: { low: 31.86, high: 70.1, level: 95, method: 'normal' },
    })
    expect(body.counts).toMatchObject({ completed: 51, partial: 1, total: 52 })
    expect(body.completion_rate).toBe(98.08)
    expect(body.questions[0].distribution).toHaveLength(11)
    expect(body.questions[0].distribution[10]).toEqual({ value: 10, count: 20, share: 39.22 })
    expect(body.trend.at(-1)).toMatchObject({ responses: 52, completed: 51, score: 50.98, n: 51 })
    expect(body.trend).toHaveLength(30)
    expect(body.csat).toEqual({ score: null, mean: null, n: 0, interval: null })
  })

  test.each([
    ['four answers', [10, 9, 3, 0], null],
    ['five answers that are alike', [9, 9, 10, 10, 9], null],
    ['five answers that differ', [9, 9, 10, 3, 0], expect.any(Number)],
  ])('of %s have the margin of error %s', async (_, scores, margin_of_error) => {
    const id = await publishSurvey(server, token)
    for (const q1 of scores) await submit(server, id, { q1 })
    expect((await report(id)).nps).toMatchObject({ n: scores.length, margin_of_error })
  })

  test('of CSAT are the top two of five, of CES the mean and the top three of seven', async () => {
    const id = await publishSurvey(server, token, {
      metric: 'csat',
      questions: [
        { id: 'a', type: 'csat', title: 'T' },
        { id: 'b', type: 'ces', title: 'T' },
      ],
    })
    for (const [a, b] of [
      [5, 7],
      [4, 5],
      [3, 4],
      [1, 1],
    ])
      await submit(server, id, { a, b })
    expect(await report(id)).toMatchObject({
      csat: { score: 50, mean: 3.25, n: 4 },
      ces: { score: 50, mean: 4.25, n: 4 },
      nps: { n: 0, score: null },
    })
  })

  test('leave quarantined and deleted responses out of everything but the counts', async () => {
    const id = await publishSurvey(server, token)
    const [a, b] = [await submit(server, id, { q1: 0 }), await submit(server, id, { q1: 0 })]
    await submit(server, id, { q1: 10 })
    await server.request('POST', `/v1/responses/${a.body.id}/quarantine`, { token })
    await server.request('DELETE', `/v1/responses/${b.body.id}`, { token })
    expect(await report(id)).toMatchObject({
      counts: { completed: 1, quarantined: 1, deleted: 1, total: 3 },
      completion_rate: 100,
      nps: { score: 100, n: 1 },
      questions: [{ reached: 1, answered: 1 }],
    })
  })

  test('of a survey that has no responses, and of a draft, are zeroes and nulls', async () => {
    const { id } = await createDraft(server, token)
    expect(await report(id)).toMatchObject({
      version: 0,
      counts: { total: 0 },
      completion_rate: null,
      nps: { score: null, n: 0 },
      questions: [{ question_id: 'q1', reached: 0, completion_rate: null }],
    })
  })
})

test('each question says how many reached, answered and left at it, and how the answers are spread', async () => {
  const questions = [
    { id: 'q1', type: 'nps', title: { en: 'Recommend?', de: 'Empfehlen?' }, required: true },
    {
      id: 'q2',
      type: 'multi',
      title: 'Why?',
      choices: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
      allow_other: true,
    },
    { id: 'q3', type: 'open_text', title: 'More?' },
  ]
  const id = await publishSurvey(server, token, {
    questions,
    logic: [{ when: { question: 'q1', op: 'lte', value: 6 }, then: [{ action: 'jump', to: 'q3' }] }],
    languages: ['en', 'de'],
  })
  await submit(server, id, { q1: 9, q2: ['a', { other: 'Fig' }], q3: 'Words' })
  await submit(server, id, { q1: 9, q2: ['a'] })
  await submit(server, id, { q1: 3, q3: 'Words' })
  await submit(server, id, {}, { completed: false })
  await submit(server, id, { q1: 9 }, { completed: false })
  await submit(server, id, { q1: 2 }, { completed: false })
  const { questions: found } = await report(id)
  expect(found).toMatchObject([
    { question_id: 'q1', title: 'Recommend?', reached: 6, answered: 5, dropped_off: 1, completion_rate: 83.33 },
    {
      question_id: 'q2',
      reached: 3,
      answered: 2,
      dropped_off: 1,
      distribution: [
        { value: 'a', count: 2, share: 100 },
        { value: 'b', count: 0, share: 0 },
        { value: 'other', count: 1, share: 50 },
      ],
    },
    { question_id: 'q3', reached: 4, answered: 2, dropped_off: 1, distribution: [] },
  ])
})

test('answers of every type are spread as fits them', async () => {
  const id = await publishSurvey(server, token, { questions: EVERY_TYPE })
  await submit(server, id, {
    rating: 4,
    single: 'a',
    ranking: ['c', 'a', 'b'],
    matrix: { speed: 'good', care: 'bad' },
    date: '2024-02-29',
    consent: true,
  })
  await submit(server, id, {
    rating: 1,
    single: { other: 'x' },
    ranking: ['a', 'c', 'b'],
    matrix: { speed: 'good' },
    date: '2024-02-01',
    consent: false,
  })
  const { questions } = await report(id)
  const spread = Object.fromEntries(
    questions.map((row: { question_id: string; distribution: unknown }) => [row.question_id, row.distribution]),
  )
  expect(spread).toMatchObject({
    rating: [
      { value: 1, count: 1 },
      { value: 2, count: 0 },
      { value: 3, count: 0 },
      { value: 4, count: 1, share: 50 },
    ],
    single: [
      { value: 'a', count: 1 },
      { value: 'b', count: 0 },
      { value: 'c', count: 0 },
      { value: 'other', count: 1 },
    ],
    ranking: [
      { value: 'a', mean_rank: 1.5 },
      { value: 'b', mean_rank: 3 },
      { value: 'c', mean_rank: 1.5 },
    ],
    matrix: [
      { row: 'speed', value: 'good', count: 2, share: 100 },
      { row: 'speed', value: 'bad', count: 0 },
      { row: 'care', value: 'good', count: 0 },
      { row: 'care', value: 'bad', count: 1, share: 100 },
    ],
    date: [{ value: '2024-02', count: 2, share: 100 }],
    consent: [
      { value: true, count: 1 },
      { value: false, count: 1 },
    ],
    words: [],
  })
})

test('a slider has the numbers that were given, their mean and their median', async () => {
  const id = await publishSurvey(server, token, {
    metric: null,
    questions: [{ id: 'q', type: 'slider', title: 'T', max: 10, step: 0.1 }],
  })
  const ofSlider = async () => (await report(id)).questions[0]
  expect(await ofSlider()).toMatchObject({ mean: null, median: null, distribution: [] })
  for (const q of [10, 0.3, 0.3, 9.2]) await submit(server, id, { q })
  expect(await ofSlider()).toMatchObject({ mean: 4.95, median: 4.75 })
  for (const q of [10, 10]) await submit(server, id, { q })
  await submit(server, id, {})
  expect(await ofSlider()).toMatchObject({
    answered: 6,
    mean: 6.633,
    median: 9.6,
    distribution: [
      { value: 0.3, count: 2, share: 33.33 },
      { value: 9.2, count: 1, share: 16.67 },
      { value: 10, count: 3, share: 50 },
    ],
  })
})

describe('the period', () => {
  test('cuts days at midnight of the time zone, across the change to summer time', async () => {
    const id = await publishSurvey(server, token)
    // Berlin: midnight is 23:00Z until 29 March 2026, and 22:00Z after.
    await submitAt('2026-03-28T22:59:59.999Z', id, { q1: 0 })
    await submitAt('2026-03-28T23:00:00.000Z', id, { q1: 10 })
    await submitAt('2026-03-29T21:59:59.999Z', id, { q1: 10 })
    await submitAt('2026-03-29T22:00:00.000Z', id, { q1: 7 })
    const body = await report(id, { from: '2026-03-28', to: '2026-03-30', timezone: 'Europe/Berlin' })
    expect(body.period).toEqual({
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-30T22:00:00.000Z',
      interval: 'day',
      timezone: 'Europe/Berlin',
    })
    expect(body.trend).toMatchObject([
      { date: '2026-03-28', from: '2026-03-27T23:00:00.000Z', responses: 1, completed: 1, score: -100, n: 1 },
      { date: '2026-03-29', from: '2026-03-28T23:00:00.000Z', responses: 2, completed: 2, score: 100, n: 2 },
      { date: '2026-03-30', from: '2026-03-29T22:00:00.000Z', responses: 1, completed: 1, score: 0, n: 1 },
    ])
    const weeks = await report(id, {
      from: '2026-03-01',
      to: '2026-03-31',
      timezone: 'Europe/Berlin',
      interval: 'week',
    })
    expect(weeks.trend.map((row: { date: string; n: number }) => [row.date, row.n])).toEqual([
      ['2026-02-23', 0],
      ['2026-03-02', 0],
      ['2026-03-09', 0],
      ['2026-03-16', 0],
      ['2026-03-23', 3],
      ['2026-03-30', 1],
    ])
    const months = await report(id, { from: '2026-02-01', to: '2026-03-31', interval: 'month' })
    expect(months.trend.map((row: { date: string; n: number }) => [row.date, row.n])).toEqual([
      ['2026-02-01', 0],
      ['2026-03-01', 4],
    ])
  })

  test('is half-open, and the one before has the same length', async () => {
    const id = await publishSurvey(server, token)
    await submitAt('2026-04-01T00:00:00Z', id, { q1: 0 })
    await submitAt('2026-04-02T00:00:00Z', id, { q1: 10 })
    await submitAt('2026-04-03T00:00:00Z', id, { q1: 5 })
    const body = await report(id, { from: '2026-04-02T00:00:00Z', to: '2026-04-03T02:00:00+02:00' })
    expect(body).toMatchObject({
      nps: { score: 100, n: 1 },
      previous: {
        period: { from: '2026-04-01T00:00:00.000Z', to: '2026-04-02T00:00:00.000Z' },
        nps: { score: -100, n: 1 },
      },
    })
  })

  test('is the last 30 days with today, unless told', async () => {
    const id = await publishSurvey(server, token)
    server.clock.set(new Date('2026-05-10T12:00:00Z'))
    expect((await report(id)).period).toMatchObject({
      from: '2026-04-11T00:00:00.000Z',
      to: '2026-05-11T00:00:00.000Z',
    })
  })

  test.each([
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['an offset in place of a zone', { timezone: '+01:00' }, 'timezone'],
    ['a day that does not exist', { from: '2026-02-30' }, 'from'],
    ['an unknown interval', { interval: 'hour' }, 'interval'],
    ['an end before its beginning', { from: '2026-02-02', to: '2026-01-01' }, 'to'],
    ['too many intervals', { from: '1990-01-01', to: '2026-01-01' }, 'interval'],
    ['an unknown parameter', { form: '2026-01-01' }, ''],
    ['a filter that is no JSON', { filter: '{' }, 'filter'],
    [
      'a filter on an unknown field',
      { filter: '{"all":[{"field":"tenant_id","op":"eq","value":"x"}]}' },
      'filter.all.0.field',
    ],
    [
      'a filter that compares words by size',
      { filter: '{"all":[{"field":"channel","op":"gt","value":1}]}' },
      'filter.all.0.op',
    ],
    ['a filter without a value', { filter: '{"all":[{"field":"channel","op":"eq"}]}' }, 'filter.all.0.value'],
  ])('with %s is 400', async (_, query, path) => {
    const id = await publishSurvey(server, token)
    const answer = await server.request(
      'GET',
      `/v1/surveys/${id}/report?${new URLSearchParams(query as Record<string, string>)}`,
      { token },
    )
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toContain(path)
  })
})

test.each([
  ['channel', 'gt', 'eq, ne, one_of, not_one_of, contains'],
  ['agent_id', 'contains', 'eq, ne, one_of, not_one_of, is_set'],
  ['custom.plan', 'within_days', 'gt, gte, lt, lte, between'],
])('an operator that the field %s does not take is answered with those that it takes', async (field, op, known) => {
  const id = await publishSurvey(server, token)
  const filter = JSON.stringify({ all: [{ field, op, value: 1 }] })
  const { body } = await server.request('GET', `/v1/surveys/${id}/report?${new URLSearchParams({ filter })}`, { token })
  expect(body.issues).toEqual([{ path: 'filter.all.0.op', message: expect.stringContaining(known) }])
})

test('the filter narrows every figure, whatever its values say', async () => {
  const id = await publishSurvey(server, token, { languages: ['en', 'de'], custom_fields: ['plan', 'seats'] })
  const first = await submit(
    server,
    id,
    { q1: 10 },
    { channel: 'embed', language: 'de', custom_data: { plan: "pro' or 1=1 --", seats: 20 } },
  )
  await submit(server, id, { q1: 7 }, { channel: 'web', custom_data: { plan: 'free', seats: 5 } })
  await submit(server, id, { q1: 0 }, { channel: 'web' })
  await server.request('POST', `/v1/responses/${first.body.id}/tags`, { token, body: { tags: ['vip'] } })
  const n = async (filter: unknown) => {
    const body = await report(id, { filter: JSON.stringify(filter) })
    expect(body.trend.at(-1).n).toBe(body.nps.n)
    expect(body.questions[0].answered).toBe(body.nps.n)
    return body.nps.n
  }
  const leaf = (field: string, op: string, value?: unknown) => n({ all: [{ field, op, value }] })
  expect(await leaf('channel', 'eq', 'web')).toBe(2)
  expect(await leaf('channel', 'one_of', ['web', 'embed'])).toBe(3)
  expect(await leaf('language', 'ne', 'de')).toBe(2)
  expect(await leaf('band', 'eq', 'detractor')).toBe(1)
  expect(await leaf('tag', 'eq', 'vip')).toBe(1)
  expect(await leaf('tag', 'ne', 'vip')).toBe(2)
  expect(await leaf('agent_id', 'is_not_set')).toBe(3)
  expect(await leaf('custom.plan', 'eq', "pro' or 1=1 --")).toBe(1)
  expect(await leaf('custom.plan', 'starts_with', 'FR')).toBe(1)
  expect(await leaf('custom.plan', 'ne', 'free')).toBe(2)
  expect(await n({ not: { field: 'custom.plan', op: 'eq', value: 'free' } })).toBe(2)
  expect(await leaf('custom.plan', 'is_not_set')).toBe(1)
  expect(await leaf('custom.seats', 'gte', 10)).toBe(1)
  expect(await leaf('custom.plan', 'gt', 1)).toBe(0)
  expect(
    await n({
      any: [
        { field: 'band', op: 'eq', value: 'promoter' },
        { field: 'band', op: 'eq', value: 'passive' },
      ],
    }),
  ).toBe(2)
  expect(await n({ all: [] })).toBe(3)
})

test('the retired export answers 410 for any id, without looking it up', async () => {
  const id = await publishSurvey(server, token)
  const before = server.statements.length
  const answers = []
  for (const text of [id, 'nonsense', 'srv_01jwq3v8n8e6h9k2m4p6r8t0va', '%20', "'--", '💥'])
    answers.push(await server.request('GET', `/v1/surveys/${encodeURIComponent(text)}/export`, { token }))
  for (const { body } of answers)
    expect(body).toMatchObject({
      status: 410,
      code: 'export_retired',
      successor: '/v1/export-runs',
      migration: { method: 'POST', path: '/v1/export-runs', body: { source: 'responses' } },
    })
  expect(server.statements.slice(before).filter(({ text }) => /\bsurveys\b/.test(text))).toEqual([])
})
