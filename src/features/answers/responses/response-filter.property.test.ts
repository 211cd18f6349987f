import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileFilter } from '../../../platform/filter/compile.ts'
import { fieldNames, fieldOf, operatorsOf } from '../../../platform/filter/entity.ts'
import { matches, needsDatabase } from '../../../platform/filter/evaluate.ts'
import type { Filter, FilterNode, FilterTest } from '../../../platform/filter/grammar.ts'
import { formatId, newId, parseId, type Id } from '../../../platform/ids.ts'
import { createWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import type { ResponseRow } from '../rows/response.entity.ts'
import * as store from './responses.store.ts'
import { propertyRuns } from '../../../testing/property-runs.ts'

const NOW = new Date('2026-06-15T12:00:00Z')
const DAY_MS = 86_400_000
const SQL = "x' or 1=1; drop table responses; --"
const WORDS = ['web', 'Web', 'embed', 'sms', 'Straße', 'ok', '', SQL]
const AGENTS = [newId('agent'), newId('agent'), newId('agent')]
const PEOPLE = [newId('person'), newId('person')]
const SURVEYS = [newId('survey'), newId('survey')]
const MOMENTS = [-400, -30, -3, -1, 0].map((days) => new Date(NOW.getTime() + days * DAY_MS))
const CUSTOM = ['pro', 'Pro plan', 3, 20, -1.5, true, '2026-06-14', '2026-06-15T12:00:00Z', '2026-13-45', SQL]

const QUESTIONS = ['q1', 'q2', 'q3']

let server: TestServer
let tenantId: Id<'workspace'>
let token: string
beforeAll(async () => {
  server = await startTestServer()
  const workspace = await createWorkspace(server)
  token = workspace.token
  const { workspaceId } = workspace
  tenantId = parseId('workspace', workspaceId) as Id<'workspace'>
})
afterAll(() => server.close())

const maybe = <T>(values: T[]) => fc.option(fc.constantFrom(...values), { nil: null })
const some = <T>(values: T[]) => fc.subarray(values, { maxLength: 2 })

const row: fc.Arbitrary<ResponseRow> = fc
  .record({
    survey_id: fc.constantFrom(...SURVEYS),
    state: fc.constantFrom('started', 'partial', 'completed', 'quarantined', 'deleted'),
    channel: fc.constantFrom('web', 'embed', 'sms'),
    language: fc.constantFrom('en', 'de'),
    metric: maybe(['nps', 'csat']),
    score: maybe([0, 5, 9, 10]),
    band: maybe(['promoter', 'passive', 'detractor']),
    agent_id: maybe(AGENTS),
    person_id: maybe(PEOPLE),
    tags: some(WORDS),
    quality_flags: some(['fast', 'straightlining']),
    path: fc.shuffledSubarray(QUESTIONS),
    started_at: fc.constantFrom(...MOMENTS),
    completed_at: maybe(MOMENTS),
    duration_ms: maybe([0, 1500, 90_000]),
    custom: fc.option(fc.constantFrom(...CUSTOM), { nil: undefined }),
    answer: fc.option(fc.constantFrom<unknown>(9, 'a', ['a', 'b'], { r1: 'c1', r2: 'c2' }, true), { nil: undefined }),
    words: fc.option(fc.constantFrom<unknown>('Great web', SQL, { email: 'ann@example.com' }), { nil: undefined }),
  })
  .map(
    ({ custom, answer, words, ...rest }) =>
      ({
        id: newId('response'),
        survey_version: 1,
        held_state: null,
        answers: answer === undefined ? [] : [{ question_id: 'q1', type: 'single', value: answer }],
        text: words === undefined ? [] : [{ question_id: 'q2', value: words }],
        custom_data: custom === undefined ? {} : { plan: custom },
        notes: [],
        dedupe_key: null,
        quotas: [],
        updated_at: NOW,
        anonymity: null,
        erased_at: null,
        ...rest,
      }) as unknown as ResponseRow,
  )

const TESTED = [
  'survey_id',
  'state',
  'channel',
  'language',
  'metric',
  'score',
  'band',
  'agent_id',
  'person_id',
  'tag',
  'quality_flag',
  'reached',
  'dropped_off',
  'started_at',
  'completed_at',
  'duration_ms',
  'custom.plan',
  'custom.none',
  'answer.q1',
  'answer.q2',
  'text',
]

const aTest: fc.Arbitrary<FilterTest> = fc.constantFrom(...TESTED).chain((name) => {
  const field = fieldOf('responses', name)
  if (!field) throw new Error(name)
  const operators = fc.constantFrom(...operatorsOf(field).filter((op) => op !== 'search'))
  return operators.chain((op): fc.Arbitrary<FilterTest> => {
    if (op === 'is_set' || op === 'is_not_set') return fc.constant({ field: name, op })
    if (op === 'within_days') return fc.constantFrom(1, 2, 31).map((value) => ({ field: name, op, value }))
    const value = valueFor(name)
    const ordered = name.includes('.')
      ? fc.constantFrom(3, 20, '2026-06-14', '2026-06-15T12:00:00Z')
      : (value as fc.Arbitrary<number>)
    if (op === 'between')
      return fc
        .tuple(ordered, ordered)
        .filter(([a, b]) => typeof a === typeof b)
        .map((pair) => ({ field: name, op, value: pair as string[] }))
    if (['gt', 'gte', 'lt', 'lte'].includes(op)) return ordered.map((one) => ({ field: name, op, value: one }))
    if (op === 'one_of' || op === 'not_one_of')
      return fc.array(value, { minLength: 1, maxLength: 3 }).map((list) => ({ field: name, op, value: list }))
    return value.map((one) => ({ field: name, op, value: one }))
  })
})

function valueFor(name: string): fc.Arbitrary<string | number | boolean> {
  switch (name) {
    case 'survey_id':
      return fc.constantFrom(...SURVEYS.map((id) => formatId('survey', id)), 'srv_nonsense', SQL)
    case 'agent_id':
      return fc.constantFrom(...AGENTS.map((id) => formatId('agent', id)), SQL)
    case 'person_id':
      return fc.constantFrom(...PEOPLE.map((id) => formatId('person', id)), SQL)
    case 'score':
    case 'duration_ms':
      return fc.constantFrom(0, 5, 8.5, 9, 1500)
    case 'started_at':
    case 'completed_at':
      return fc.constantFrom('2026-06-14', '2026-06-15', '2026-06-15T12:00:00Z', '2025-05-11T14:00:00+02:00')
    case 'state':
      return fc.constantFrom('started', 'completed')
    case 'metric':
      return fc.constantFrom('nps', 'csat')
    case 'band':
      return fc.constantFrom('promoter', 'detractor', SQL)
    case 'reached':
    case 'dropped_off':
      return fc.constantFrom(...QUESTIONS, SQL)
    case 'text':
      return fc.constantFrom('great', 'WEB', 'ann@', SQL)
    default:
      return fc.constantFrom<string | number | boolean>(...WORDS, ...CUSTOM, 'a', 'c1', 9, 'STRASSE')
  }
}

const filter: fc.Arbitrary<Filter> = fc.letrec<{ node: FilterNode; filter: Filter }>((tie) => ({
  node: fc.oneof({ depthSize: 'small' }, { weight: 4, arbitrary: aTest }, { weight: 1, arbitrary: tie('filter') }),
  filter: fc.oneof(
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('node') }),
  ),
})).filter

test('random filters choose the same of 500 random responses in the database and in memory', async () => {
  expect(TESTED.map((name) => name.split('.')[0])).toEqual(
    expect.arrayContaining(
      fieldNames('responses')
        .filter((name) => !DERIVED.includes(name))
        .map((name) => name.split('.')[0]),
    ),
  )
  const rows = fc.sample(row, { numRuns: 500, seed: 7 })
  await server.services.run(async (system) => {
    const scope = system.tenant(tenantId, { type: 'system' })
    await scope.tx(async (tx) => {
      for (const each of rows) store.insertResponse(tx, each, (error) => error)
    })
    const filters = fc.sample(filter, propertyRuns(11, 400, 160))
    let chosen = 0
    await scope.read(async (tx) => {
      for (const each of filters) {
        const condition = await compileFilter('responses', each, { tx, alias: 'r', now: NOW })
        const listed = await store.listResponses(tx, { condition, namesState: true }, {
          limit: 1_000,
          before: null,
        } as never)
        const found = new Set(listed.map(({ id }) => id))
        const expected = rows.filter((one) => matches('responses', each, one, NOW))
        if (found.size !== expected.length || expected.some(({ id }) => !found.has(id)))
          throw new Error(`${JSON.stringify(each)}: ${found.size} in the database, ${expected.length} in memory`)
        if (found.size > 0 && found.size < rows.length) chosen += 1
      }
    })
    // Most filters must choose, or the comparison says nothing.
    expect(chosen).toBeGreaterThan(filters.length * 0.45)
  })
}, 120_000)

/** Fields of other features, which are tested there. */
const DERIVED = ['id', 'topic', 'sentiment', 'segment_id', 'team']

describe('the meaning of a test', () => {
  const base = fc.sample(row, { numRuns: 1, seed: 1 })[0] as ResponseRow
  const holds = (part: Partial<ResponseRow>, field: string, op: string, value?: unknown) =>
    matches('responses', { all: [{ field, op, value } as FilterTest] }, { ...base, ...part }, NOW)

  test('what is unset fails every test but is_not_set, ne and not_one_of', () => {
    const unset = { agent_id: null, score: null, tags: [], custom_data: {} }
    const agent = formatId('agent', AGENTS[0] as Id<'agent'>)
    for (const [field, value] of [
      ['agent_id', agent],
      ['score', 5],
      ['tag', 'web'],
      ['custom.plan', 'pro'],
    ] as const) {
      expect(holds(unset, field, 'is_not_set')).toBe(true)
      expect(holds(unset, field, 'ne', value)).toBe(true)
      expect(holds(unset, field, 'not_one_of', [value])).toBe(true)
      expect(holds(unset, field, 'is_set')).toBe(false)
      expect(holds(unset, field, 'eq', value)).toBe(false)
      expect(holds(unset, field, 'one_of', [value])).toBe(false)
    }
    for (const op of ['gt', 'gte', 'lt', 'lte']) expect(holds(unset, 'score', op, 5)).toBe(false)
    expect(holds(unset, 'score', 'between', [0, 10])).toBe(false)
  })

  test('between includes both ends, and a date means its whole day in UTC', () => {
    expect(holds({ score: 9 }, 'score', 'between', [9, 10])).toBe(true)
    expect(holds({ score: 10 }, 'score', 'between', [9, 10])).toBe(true)
    expect(holds({ score: 8 }, 'score', 'between', [9, 10])).toBe(false)
    const evening = { completed_at: new Date('2026-06-14T23:59:59.999Z') }
    expect(holds(evening, 'completed_at', 'between', ['2026-06-01', '2026-06-14'])).toBe(true)
    expect(holds(evening, 'completed_at', 'gt', '2026-06-14')).toBe(false)
    expect(holds(evening, 'completed_at', 'lte', '2026-06-14')).toBe(true)
    expect(holds(evening, 'completed_at', 'eq', '2026-06-14')).toBe(true)
    expect(holds(evening, 'completed_at', 'within_days', 1)).toBe(true)
    expect(holds(evening, 'completed_at', 'within_days', 0.5)).toBe(false)
  })

  test('contains and starts_with ignore case, the others do not', () => {
    const plan = { custom_data: { plan: 'Pro plan' } }
    expect(holds(plan, 'custom.plan', 'contains', 'PLAN')).toBe(true)
    expect(holds(plan, 'custom.plan', 'starts_with', 'pro')).toBe(true)
    expect(holds(plan, 'custom.plan', 'eq', 'pro plan')).toBe(false)
  })

  test('custom data compares numbers with numbers and dates with dates', () => {
    expect(holds({ custom_data: { plan: 20 } }, 'custom.plan', 'gt', 3)).toBe(true)
    expect(holds({ custom_data: { plan: '20' } }, 'custom.plan', 'gt', 3)).toBe(false)
    expect(holds({ custom_data: { plan: '2026-06-15T12:00:00Z' } }, 'custom.plan', 'gte', '2026-06-15')).toBe(true)
    expect(holds({ custom_data: { plan: 'soon' } }, 'custom.plan', 'gt', '2026-06-15')).toBe(false)
  })

  test('a test on a list holds for any member', () => {
    const vip = { tags: ['vip', 'EU'] }
    expect(holds(vip, 'tag', 'eq', 'vip')).toBe(true)
    expect(holds(vip, 'tag', 'ne', 'vip')).toBe(false)
    expect(holds(vip, 'tag', 'contains', 'eu')).toBe(true)
    expect(holds(vip, 'tag', 'eq', 'eu')).toBe(false)
    const choices = { answers: [{ question_id: 'q1', type: 'multi', value: ['a', 'b'] }] }
    expect(holds(choices as never, 'answer.q1', 'one_of', ['b', 'z'])).toBe(true)
  })
})

describe('GET /v1/responses with a filter', () => {
  const list = (filter: unknown) =>
    server.request(
      'GET',
      `/v1/responses?${new URLSearchParams({ filter: typeof filter === 'string' ? filter : JSON.stringify(filter) })}`,
      { token },
    )

  test('lists what passes it, and deleted responses only if it tests the state', async () => {
    const survey = await publishSurvey(server, token)
    const promoter = (await submit(server, survey, { q1: 10 })).body.id
    const detractor = (await submit(server, survey, { q1: 2 })).body.id
    const gone = (await submit(server, survey, { q1: 3 })).body.id
    await server.request('DELETE', `/v1/responses/${gone}`, { token })
    const ids = async (...tests: FilterNode[]) => {
      const { body } = await list({ all: [{ field: 'survey_id', op: 'eq', value: survey }, ...tests] })
      return body.data.map((each: { id: string }) => each.id)
    }
    expect(await ids()).toEqual([detractor, promoter])
    expect(await ids({ field: 'score', op: 'between', value: [9, 10] })).toEqual([promoter])
    expect(await ids({ not: { field: 'answer.q1', op: 'gte', value: 9 } })).toEqual([detractor])
    expect(await ids({ field: 'state', op: 'eq', value: 'deleted' })).toEqual([gone])
  })

  test('tests the team of the agent', async () => {
    for (const [external_id, team] of [
      ['north-1', 'North'],
      ['south-1', 'South'],
    ])
      await server.request('POST', '/v1/agents', { token, body: { external_id, name: 'A', team } })
    const survey = await publishSurvey(server, token, { custom_fields: ['agent_id'] })
    const about = async (custom_data: object) => (await submit(server, survey, { q1: 9 }, { custom_data })).body.id
    const north = await about({ agent_id: 'north-1' })
    const south = await about({ agent_id: 'south-1' })
    const nobody = await about({})
    const ids = async (test: object) => {
      const { body } = await list({ all: [{ field: 'survey_id', op: 'eq', value: survey }, test] })
      return body.data.map((each: { id: string }) => each.id)
    }
    expect(await ids({ field: 'team', op: 'eq', value: 'North' })).toEqual([north])
    expect(await ids({ field: 'team', op: 'ne', value: 'North' })).toEqual([nobody, south])
    expect(await ids({ field: 'team', op: 'is_not_set' })).toEqual([nobody])
    expect(await ids({ not: { field: 'team', op: 'contains', value: 'OUT' } })).toEqual([nobody, north])
  })

  const nested = (levels: number): unknown => (levels === 1 ? { all: [] } : { not: nested(levels - 1) })
  const test50 = Array.from({ length: 50 }, () => ({ field: 'score', op: 'eq', value: 1 }))

  test.each([
    ['four levels', nested(4)],
    ['fifty tests', { all: test50 }],
  ])('takes %s', async (_, filter) => {
    expect(await list(filter)).toMatchObject({ status: 200 })
  })

  test.each([
    ['five levels', nested(5), 'filter.not.not.not.not'],
    ['51 tests', { all: [{ any: test50 }, ...test50.slice(0, 1)] }, 'filter.all.1'],
    ['no JSON', '{', 'filter'],
    ['a list', [], 'filter'],
    ['all beside any', { all: [], any: [] }, 'filter'],
    ['an unknown field', { all: [{ field: 'tenant_id', op: 'eq', value: 'x' }] }, 'filter.all.0.field'],
    ['a field of every object', { all: [{ field: 'constructor', op: 'eq', value: 'x' }] }, 'filter.all.0.field'],
    ['SQL in a name', { all: [{ field: `custom.${SQL}`, op: 'eq', value: 'x' }] }, 'filter.all.0.field'],
    ['an operator that does not suit', { all: [{ field: 'score', op: 'contains', value: '1' }] }, 'filter.all.0.op'],
    ['no value', { all: [{ field: 'score', op: 'eq' }] }, 'filter.all.0.value'],
    ['text for a number', { all: [{ field: 'score', op: 'eq', value: '9' }] }, 'filter.all.0.value'],
    ['one end of a range', { all: [{ field: 'score', op: 'between', value: [1] }] }, 'filter.all.0.value'],
    [
      'a day that does not exist',
      { all: [{ field: 'started_at', op: 'gt', value: '2026-02-30' }] },
      'filter.all.0.value',
    ],
    ['an unknown state', { all: [{ field: 'state', op: 'eq', value: 'open' }] }, 'filter.all.0.value'],
    ['one value for a list', { all: [{ field: 'channel', op: 'one_of', value: 'web' }] }, 'filter.all.0.value'],
    ['days below zero', { all: [{ field: 'started_at', op: 'within_days', value: -1 }] }, 'filter.all.0.value'],
    ['another key', { all: [{ field: 'score', op: 'eq', value: 1, then: 2 }] }, 'filter.all.0'],
  ])('refuses %s with the place', async (_, filter, path) => {
    const answer = await list(filter)
    expect(answer.status).toBe(400)
    expect(answer.body.issues).toEqual([{ path, message: expect.any(String) }])
  })
})

test('a search of texts is left to the database, and the other tests of texts are not', () => {
  const search: FilterTest = { field: 'text', op: 'search', value: 'late' }
  expect(needsDatabase('responses', [search])).toBe(true)
  expect(() => matches('responses', { all: [search] }, { text: [] }, NOW)).toThrow('search of text')
  const contains: FilterTest = { field: 'text', op: 'contains', value: 'late' }
  expect(needsDatabase('responses', [contains, { field: 'text', op: 'is_set' }])).toBe(false)
  expect(matches('responses', { all: [contains] }, { text: [{ question_id: 'q1', value: 'Late' }] }, NOW)).toBe(true)
})
