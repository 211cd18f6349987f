import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lowestIdAt, parseId } from '../../../../platform/ids.ts'
import { propertyEngines, propertyRuns } from '../../../../testing/property-runs.ts'
import { submit, publishSurvey } from '../../../../testing/survey-fixtures.ts'
import { listResponses } from '../../responses/listing.service.ts'
import { personal } from '../../responses/personal.service.ts'
import { ResponseQuery } from '../../responses/responses.schema.ts'
import { removeResponses } from '../../responses/responses.service.ts'
import {
  inScope,
  openBench,
  passHours,
  report,
  rolledRows,
  retain,
  rolledUpSurvey,
  START,
  uuid,
  type Bench,
} from './rollups.fixture.ts'

const MINUTE = 60_000

const TEXTS = ['words', 'Late.\nREFUND, 2nd time', 'Sehr verärgert', '好']
const test1 = (field: string, op: string, value?: unknown) => ({ field, op, ...(value !== undefined && { value }) })
const FILTERS = [
  { all: [] },
  { any: [] },
  { all: [test1('state', 'eq', 'completed')] },
  { all: [test1('channel', 'eq', 'web'), test1('score', 'lte', 6)] },
  { all: [test1('score', 'between', [3, 8.5])] },
  { any: [test1('tag', 'eq', 'vip'), test1('band', 'eq', 'promoter')] },
  { not: { any: [test1('tag', 'contains', 'VI'), test1('score', 'is_not_set')] } },
  { all: [test1('band', 'not_one_of', ['promoter', 'passive']), test1('agent_id', 'is_not_set')] },
  { all: [test1('answer.q1', 'gte', 9), test1('language', 'starts_with', 'E')] },
  { all: [test1('answer.q2', 'ne', 3), test1('quality_flag', 'is_not_set')] },
  { all: [test1('answer.q3', 'one_of', ['a', 'x'])] },
  { all: [test1('answer.q3', 'eq', 'b'), test1('text', 'contains', 'ORD')] },
  { any: [test1('custom.plan', 'gt', 3), test1('custom.plan', 'starts_with', 'P')] },
  { all: [test1('custom.plan', 'ne', 'pro'), test1('custom.many', 'is_set')] },
  { all: [test1('custom.plan', 'eq', 'pro'), test1('answer.q1', 'lte', 8)] },
  { all: [test1('custom.plan', 'one_of', ['nobody', 'late'])] },
  { all: [test1('completed_at', 'between', ['2026-03-02T13:00:00Z', '2026-03-03'])] },
  { all: [test1('completed_at', 'eq', '2026-03-02'), test1('score', 'gte', 5)] },
  { all: [test1('tag', 'eq', 'vip'), test1('score', 'gte', 5)] },
  { all: [test1('quality_flag', 'starts_with', 'F')] },
  { all: [test1('dropped_off', 'eq', 'q2')] },
  { all: [test1('dropped_off', 'not_one_of', ['q1', 'q2']), test1('reached', 'eq', 'q2')] },
  { any: [test1('dropped_off', 'is_set'), test1('band', 'eq', 'promoter')] },
  { all: [test1('started_at', 'lt', '2026-03-03'), test1('score', 'gte', 5)] },
  ...['words', 'Efund, 2', 'RÄRGERT', '好', 'xylophone'].map((word) => ({ all: [test1('text', 'contains', word)] })),
  { all: [test1('text', 'contains', 'refund'), test1('score', 'lte', 6), test1('answer.q3', 'eq', 'b')] },
  { all: [test1('started_at', 'between', ['2026-03-02T13:00:00Z', '2026-03-03']), test1('tag', 'is_set')] },
]
const PERIODS: Record<string, string>[] = [
  {},
  { timezone: 'Asia/Kolkata', from: '2026-03-02' },
  { timezone: 'Asia/Kathmandu', interval: 'week' },
  { timezone: 'America/New_York', from: '2026-03-03', to: '2026-03-04' },
  { from: '2026-03-02T11:07:31.500Z', to: '2026-03-04T09:59:00Z' },
]

/** Compares with reports that read every response, because no facts are left. The next sweep makes them anew. */
async function expectExact(bench: Bench, id: string): Promise<void> {
  const filtered = [...PERIODS.map(() => ({ all: [] })), ...FILTERS].map((filter, index) => ({
    ...PERIODS[index % PERIODS.length],
    filter: JSON.stringify(filter),
  }))
  const plain = await Promise.all(PERIODS.map((period) => report(bench, id, period)))
  const byFacts = await Promise.all(filtered.map((query) => report(bench, id, query)))
  const listed = await Promise.all(FILTERS.map((filter) => list(bench, filter)))
  await bench.server.peek('delete from report_facts where survey_id = $1', [uuid(id)])
  const live = await Promise.all(filtered.map((query) => report(bench, id, query)))
  for (const [index, query] of filtered.entries()) expect(byFacts[index], JSON.stringify(query)).toEqual(live[index])
  expect(plain).toEqual(live.slice(0, plain.length))
  for (const [index, filter] of FILTERS.entries())
    expect(listed[index], JSON.stringify(filter)).toEqual(await list(bench, { any: [filter] }))
}

// The page is larger than any list here, so it looks for more by facts or times. A filter in `any` is walked.
async function list(bench: Bench, filter: object): Promise<string[]> {
  const query = ResponseQuery.parse({ filter: JSON.stringify(filter) })
  const page = await inScope(bench, (scope) => listResponses(scope, query, { limit: 1_000, before: null }))
  return page.data.map((response) => response.id)
}

async function factDays({ server }: Bench, id: string): Promise<number> {
  const days = await server.peek('select distinct starts_at from report_facts where survey_id = $1', [uuid(id)])
  return days.length
}

describe.each(propertyEngines())('on %s', (engine) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await openBench(engine)
  })
  afterAll(() => bench.server.close())

  type Step = { kind: string; score: number; pick: number; minutes: number }
  const kinds = [
    'submit',
    'submit',
    'begin',
    'begin',
    'continue',
    'complete',
    'quarantine',
    'release',
    'delete',
    'tag',
    'retain',
    'sweep',
    'sweep',
    'wait',
  ]
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      score: fc.integer({ min: 0, max: 10 }),
      pick: fc.nat(),
      minutes: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 900 })),
    }),
    { minLength: 40, maxLength: 60 },
  )

  async function take(
    { server, token, tenantId }: Bench,
    id: string,
    step: Step,
    begun: { id: string; token: string }[],
  ): Promise<void> {
    const some = begun[step.pick % Math.max(1, begun.length)]
    const answers = {
      q1: step.score,
      q2: (step.score % 5) + 1,
      q3: step.score % 2 ? ['a', { other: 'x' }] : ['b'],
      q4: `2024-0${(step.score % 3) + 1}-10`,
      q5: TEXTS[step.pick % TEXTS.length],
    }
    const change = (verb: string, body?: unknown) =>
      some && server.request('POST', `/v1/responses/${some.id}/${verb}`, { token, body })
    switch (step.kind) {
      case 'submit':
      case 'begin': {
        const answer = await submit(server, id, step.kind === 'submit' ? answers : { q1: step.score }, {
          completed: step.kind === 'submit',
          custom_data: { plan: ['pro', 7, 'Plus', '2024-01-01'][step.score % 4], many: 'x'.repeat(step.score * 20) },
        })
        expect(answer, answer.text).toMatchObject({ status: 201 })
        return void begun.push(answer.body)
      }
      case 'continue':
      case 'complete':
        return void (
          some &&
          (await server.request('PATCH', `/public/responses/${some.token}`, {
            body: { answers, completed: step.kind === 'complete' },
          }))
        )
      case 'quarantine':
      case 'release':
        return void (await change(step.kind))
      case 'delete':
        return void (some && (await server.request('DELETE', `/v1/responses/${some.id}`, { token })))
      case 'tag':
        return void (await change('tags', { tags: ['vip'] }))
      case 'retain': {
        const before = new Date(server.clock.now().getTime() - 30 * 60 * MINUTE)
        // Ids follow the host's clock, not the test's.
        const range = { before, below: lowestIdAt(new Date('2100-01-01')), after: null, limit: 3 }
        return void (await inScope({ server, tenantId }, (scope) =>
          scope.tx((tx) => removeResponses(scope, tx, range)),
        ))
      }
      case 'sweep':
        return passHours({ server }, 0)
      default:
        return server.clock.advance(step.minutes * MINUTE)
    }
  }

  const runs = propertyRuns(9, engine === 'pg' ? 2 : 1, 1)
  test(
    'a report from rollups equals the one that counts every response, whatever happened when',
    { timeout: 60_000 + runs.numRuns * 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          bench.server.clock.set(START)
          const id = await rolledUpSurvey(bench)
          const begun: { id: string; token: string }[] = []
          for (const [i, step] of taken.entries()) {
            await take(bench, id, step, begun)
            if (i % 3 === 0) bench.server.clock.advance(step.minutes * MINUTE)
            if (i % 12 === 11) await expectExact(bench, id)
          }
          await passHours(bench, 30)
          await expectExact(bench, id)
          await passHours(bench, 1)
          expect(await bench.server.peek('select 1 from report_marks where survey_id = $1', [uuid(id)])).toEqual([])
          const [{ n = 0 } = {}] = await bench.server.peek<{ n: number }>(
            'select count(*) as n from responses where survey_id = $1',
            [uuid(id)],
          )
          expect((await rolledRows(bench, id)).length).toBeGreaterThanOrEqual(n > 0 ? 2 : 0)
          expect(await factDays(bench, id)).toBe(
            (await rolledRows(bench, id)).filter(({ minutes }) => minutes === 1440).length,
          )
        }),
        runs,
      )
    },
  )

  test('quarters that are over are counted from rollups, days from theirs', async () => {
    bench.server.clock.set(START)
    const id = await rolledUpSurvey(bench)
    for (const q1 of [10, 9, 3]) {
      await submit(bench.server, id, { q1 })
      bench.server.clock.advance(10 * MINUTE)
    }
    await passHours(bench, 0)
    expect(await rolledRows(bench, id)).toMatchObject([{ minutes: 15, responses: 2 }])
    await passHours(bench, 30)
    expect(await rolledRows(bench, id)).toMatchObject([
      { minutes: 15 },
      { minutes: 15 },
      { minutes: 1440, responses: 3 },
    ])
    await bench.server.peek('delete from responses where survey_id = $1', [uuid(id)])
    expect(await report(bench, id, {})).toMatchObject({
      nps: { n: 3, score: 33.33 },
      questions: [{ answered: 3 }, {}, {}, {}, {}],
    })
    await bench.server.peek('delete from report_facts where survey_id = $1', [uuid(id)])
    expect(await report(bench, id, { filter: '{"all":[]}' })).toMatchObject({ nps: { n: 0 } })
  })

  test('what members change in an old response is found at once, and counted once', async () => {
    bench.server.clock.set(START)
    const id = await rolledUpSurvey(bench)
    const { body } = await submit(bench.server, id, { q1: 9 }, { custom_data: { plan: 'pro' } })
    await submit(bench.server, id, { q1: 1 }, { custom_data: { plan: 'pro' } })
    await passHours(bench, 40)
    expect(await factDays(bench, id)).toBe(1)
    const change = { token: bench.token, body: { custom_data: { plan: 'late' } } }
    expect((await bench.server.request('PATCH', `/v1/responses/${body.id}`, change)).status).toBe(200)
    const late = { all: [test1('custom.plan', 'eq', 'late')] }
    const old = { all: [test1('custom.plan', 'eq', 'pro')] }
    const total = async (filter: object) =>
      (await report(bench, id, { from: '2026-03-01', filter: JSON.stringify(filter) })).counts.total
    for (const hours of [0, 1]) {
      await passHours(bench, hours)
      expect(await list(bench, late)).toEqual([body.id])
      expect([await total(late), await total(old)]).toEqual([1, 1])
    }
  })

  test.each([
    ['removed before the report begins', '13:00', '20:00', ['02:00'], []],
    ['removed after it ends', '09:00', '16:00', ['18:00'], []],
    ['removed before and added after', '13:00', '20:00', ['02:00'], ['22:00']],
    ['added before and removed after', '09:00', '16:00', ['18:00'], ['01:00']],
  ])('a filter that reads responses counts a day with one %s', async (_, from, to, removed, added) => {
    const at = (time: string) => `2026-03-02T${time}:00Z`
    const id = await rolledUpSurvey(bench)
    const submitAt = async (time: string, q1: number, q5: string) => {
      bench.server.clock.set(new Date(at(time)))
      return (await submit(bench.server, id, { q1, q5 })).body.id as string
    }
    const ids = new Map([['02:00', await submitAt('02:00', 5, 'A refund')]])
    await submitAt('10:00', 1, 'A refund')
    await submitAt('14:00', 10, 'Words')
    await submitAt('15:00', 0, 'Words')
    ids.set('18:00', await submitAt('18:00', 9, 'A refund'))
    await passHours(bench, 40)
    for (const time of removed) await retain(bench, ids.get(time) ?? '')
    for (const time of added) await submitAt(time, 7, 'A refund')
    const filter = JSON.stringify({ all: [test1('text', 'contains', 'words')] })
    const { counts, nps } = await report(bench, id, { from: at(from), to: at(to), filter })
    expect([counts.total, nps.promoters, nps.detractors]).toEqual([2, 1, 1])
  })

  test('days whose texts lack the letters of a word are not read, where the sweep has noted letters', async () => {
    bench.server.clock.set(START)
    const id = await rolledUpSurvey(bench)
    await submit(bench.server, id, { q1: 9, q5: 'A quick refund' })
    await passHours(bench, 40)
    const filter = JSON.stringify({ all: [test1('text', 'contains', 'xylophone')] })
    const total = async () => (await report(bench, id, { from: '2026-03-01', filter })).counts.total
    const change = `update responses set text = '[{"question_id": "q5", "value": "Xylophones"}]' where survey_id = $1`
    await bench.server.peek(change, [uuid(id)])
    expect(await total()).toBe(0)
    // As in a database of an earlier version.
    await bench.server.peek(`delete from report_facts where survey_id = $1 and cell = '["trigrams"]'`, [uuid(id)])
    expect(await total()).toBe(1)
    await passHours(bench, 1)
    await bench.server.peek(change.replace('Xylophones', 'xyl'), [uuid(id)])
    expect(await total()).toBe(0)
    await bench.server.peek(change, [uuid(id)])
    expect(await total()).toBe(1)
  })

  test('an erasure leaves nothing of the person in facts, at once and after the next sweep', async () => {
    bench.server.clock.set(START)
    const id = await rolledUpSurvey(bench)
    const { body } = await submit(bench.server, id, { q1: 9, q2: 4 }, { custom_data: { plan: 'ours-alone' } })
    await submit(bench.server, id, { q1: 1 }, { custom_data: { plan: 'pro' } })
    await passHours(bench, 40)
    const cells = async () => {
      const rows = await bench.server.peek<{ cell: string }>('select cell from report_facts where survey_id = $1', [
        uuid(id),
      ])
      return rows.map(({ cell }) => cell).join()
    }
    expect(await cells()).toContain('ours-alone')
    const store = personal.stores?.find((each) => each.store === 'responses')
    await inScope(bench, (scope) =>
      scope.tx((tx) => store?.erase(scope, tx, [parseId('response', body.id) ?? '']) ?? Promise.resolve(0)),
    )
    expect(await cells()).toBe('')
    const all = { from: '2026-03-01', filter: '{"all":[]}' }
    for (const hours of [0, 1]) {
      await passHours(bench, hours)
      expect(await report(bench, id, all)).toMatchObject({ counts: { total: 2 }, nps: { n: 2 }, csat: { n: 0 } })
    }
    expect(await cells()).toContain('plan')
    expect(await cells()).not.toContain('ours-alone')
  })

  test('a survey asks for rollups once a report meets more than 5,000 responses', async () => {
    const id = await publishSurvey(bench.server, bench.token)
    const asked = () => bench.server.peek('select 1 from report_surveys where survey_id = $1', [uuid(id)])
    const { body } = await submit(bench.server, id, { q1: 9 })
    const copy = (n: number) =>
      bench.server.peek(
        `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band, started_at, completed_at, tags, notes, quality_flags, quotas, updated_at)
         select tenant_id, gen_random_uuid(), survey_id, survey_version, state, channel, language, answers, text, custom_data, path, metric, score, band, started_at, completed_at, tags, notes, quality_flags, quotas, updated_at
         from responses, generate_series(1, $2::int) where id = $1`,
        [parseId('response', body.id), n],
      )
    await copy(4_999)
    expect((await report(bench, id, {})).nps.n).toBe(5_000)
    expect(await asked()).toEqual([])
    await copy(1)
    expect((await report(bench, id, {})).nps.n).toBe(5_001)
    expect(await asked()).toHaveLength(1)
    await passHours(bench, 1)
    expect(await rolledRows(bench, id)).toEqual([{ minutes: 15, responses: 5_001 }])
    expect((await report(bench, id, {})).nps.n).toBe(5_001)
  })
})
