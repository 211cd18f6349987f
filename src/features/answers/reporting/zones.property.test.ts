import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testsOf } from '../../../platform/filter/grammar.ts'
import { parseId } from '../../../platform/ids.ts'
import { propertyEngines, propertyRuns } from '../../../testing/property-runs.ts'
import { publishSurvey, submit } from '../../../testing/survey-fixtures.ts'
import { readData, type Data } from '../../programme/dashboards/data.service.ts'
import { listResponses } from '../responses/listing.service.ts'
import { personal } from '../responses/personal.service.ts'
import { ResponseQuery } from '../responses/responses.schema.ts'
import {
  countedByHand,
  queriesOf,
  rulesOf,
  saidBy,
  shownBy,
  shownByHand,
  type Row,
  type Rule,
} from './by-hand.fixture.ts'
import {
  askForRollups,
  inScope,
  openBench,
  passHours,
  report,
  retain,
  rolledUpSurvey,
  uuid,
  type Bench,
} from './rollups/rollups.fixture.ts'

// Figures and lists against a count by hand, in zones whose days are not days in UTC, while the past changes.

const MINUTE = 60_000
const ZONES = ['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe']
// Clocks change in St. John's on 8 March 2026 and by half an hour on Lord Howe on 5 April. Samoa had no 30 December
// 2011.
const STARTS = ['2026-03-06T10:00:00Z', '2026-04-03T03:00:00Z', '2011-12-28T12:00:00Z']
const TEXTS = ['A refund, please', 'Words', 'Late and no REFUND']

describe.each(propertyEngines())('on %s', (engine) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await openBench(engine)
  })
  afterAll(() => bench.server.close())

  const pick = fc.nat()
  const sent = fc.record({
    kind: fc.constantFrom('completed', 'completed', 'completed', 'begun', 'anonymous'),
    minutes: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 500 })),
    pick,
  })
  // The first move responses in their days, the others change what is known of them.
  const moves = fc.constantFrom('retain', 'retain', 'complete', 'late')
  const kinds = fc.constantFrom('delete', 'erase', 'quarantine', 'release', 'tag', 'plan', 'anonymous')
  const change = fc.record({ kind: fc.oneof(moves, kinds), pick, minutes: fc.integer({ min: 0, max: 3_500 }) })
  const look = fc.record({
    zone: fc.constantFrom(...ZONES),
    interval: fc.constantFrom('day' as const, 'week' as const),
    period: fc.oneof(
      fc.record({ day: fc.integer({ min: 0, max: 3 }), days: fc.integer({ min: 1, max: 2 }) }),
      fc.record({ minute: fc.integer({ min: 0, max: 2_800 }), minutes: fc.integer({ min: 200, max: 1_500 }) }),
    ),
    rules: fc.array(pick, { minLength: 1, maxLength: 2 }),
  })
  const rounds = fc.array(
    fc.record({
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      looks: fc.array(look, { minLength: 3, maxLength: 3 }),
      whole: look,
      // A change of a day is seldom alone in it for long.
      sweeps: fc.constantFrom(true, true, true, false),
    }),
    { minLength: 4, maxLength: 5 },
  )
  type Change = typeof change extends fc.Arbitrary<infer T> ? T : never
  type Look = typeof look extends fc.Arbitrary<infer T> ? T : never

  /** A survey, an anonymous one, and what was sent to the first. */
  interface Surveys {
    start: number
    id: string
    anonymous: string
    sent: Array<{ id: string; token: string; state: string }>
  }

  async function send({ id, anonymous, sent: all }: Surveys, kind: string, nr: number): Promise<void> {
    const answers = { q1: nr % 11, q5: TEXTS[nr % TEXTS.length] }
    if (kind === 'anonymous') {
      // Few answer one question, so that answers wait longer than their responses.
      const said = nr % 3 === 0 ? answers : { q5: answers.q5 }
      const answer = await submit(bench.server, anonymous, said)
      expect(answer, answer.text).toMatchObject({ status: 201 })
      return
    }
    const more = kind === 'begun' ? {} : { q2: (nr % 5) + 1, q3: ['a'], q4: '2024-01-10' }
    const answer = await submit(
      bench.server,
      id,
      { ...answers, ...more },
      {
        completed: kind !== 'begun',
        custom_data: { plan: ['pro', 'plus'][nr % 2] },
      },
    )
    expect(answer, answer.text).toMatchObject({ status: 201 })
    all.push(answer.body)
  }

  async function make(surveys: Surveys, { kind, pick: nr, minutes }: Change): Promise<void> {
    const { server, token } = bench
    const among = kind === 'complete' ? surveys.sent.filter(({ state }) => state !== 'completed') : surveys.sent
    const some = among[nr % among.length]
    if (!some) return
    const call = (method: string, path: string, body?: unknown) =>
      server.request(method, `/v1/responses/${some.id}${path}`, { token, body })
    switch (kind) {
      case 'retain':
        return retain(bench, some.id)
      case 'delete':
        return void (await call('DELETE', ''))
      case 'erase': {
        const store = personal.stores?.find((each) => each.store === 'responses')
        const keys = [parseId('response', some.id) ?? '']
        return void (await inScope(bench, (scope) => scope.tx(async (tx) => store?.erase(scope, tx, keys))))
      }
      case 'tag':
        return void (await call('POST', '/tags', { tags: ['vip'] }))
      case 'plan':
        return void (await call('PATCH', '', { custom_data: { plan: 'pro' } }))
      case 'complete':
        return void (await server.request('PATCH', `/public/responses/${some.token}`, {
          body: { answers: { q1: 9, q2: 1 }, completed: true },
        }))
      case 'late': {
        // As one whose transaction took long.
        const now = server.clock.now()
        server.clock.set(new Date(surveys.start + minutes * MINUTE))
        await send(surveys, 'completed', nr)
        return server.clock.set(now)
      }
      case 'anonymous':
        for (let n = 0; n <= nr % 6; n++) await send(surveys, 'anonymous', nr + n)
        return
      default:
        return void (await call('POST', `/${kind}`))
    }
  }

  function rowsOf(...ids: string[]): Promise<Row[]> {
    return bench.server.peek<Row>('select * from responses where survey_id = any($1)', [ids.map(uuid)])
  }

  async function compareFiltered({ start, id }: Surveys, { period, interval, zone, rules }: Look): Promise<void> {
    const rows = await rowsOf(id)
    for (const { filter, passes } of rulesAmong(start, rules)) {
      const asked = { ...periodOf(start, period), interval, timezone: zone, filter: JSON.stringify(filter) }
      const filtered = await report(bench, id, asked)
      const passing = rows.filter(passes)
      expect(saidBy(filtered), JSON.stringify(asked)).toEqual(countedByHand(passing, filtered))
      const listed = passing.filter(({ state }) => state !== 'deleted').map((row) => row.id)
      expect(await list(id, filter), JSON.stringify(asked)).toEqual(listed.toSorted().toReversed())
    }
  }

  async function compareAll({ start, id, anonymous }: Surveys, { period, interval, zone, rules }: Look): Promise<void> {
    const asked = { ...periodOf(start, period), interval, timezone: zone }
    const plain = await report(bench, id, asked)
    const hidden = await report(bench, anonymous, asked)
    const isShown = ({ anonymity }: Row) => anonymity !== 'held' && anonymity !== 'counted'
    const figures = (await rowsOf(id, anonymous)).filter(isShown)
    const open = figures.filter(({ anonymity }) => anonymity === null)
    const released = figures.filter(({ anonymity }) => anonymity !== null)
    expect(saidBy(plain), JSON.stringify(asked)).toEqual(countedByHand(open, plain))
    expect(saidBy(hidden), JSON.stringify(asked)).toEqual(countedByHand(released, hidden))
    for (const { filter, passes } of rulesAmong(start, rules)) {
      const shown = await widgets(queriesOf([id, anonymous], filter, interval), asked)
      // A report has an interval for the day that Samoa skipped.
      const starts = shown[1]?.series?.map(({ from }) => from) ?? []
      const sorts = { open, figures, passing: open.filter(passes), isFiltered: testsOf(filter).length > 0 }
      expect(shown.map(shownBy), JSON.stringify({ ...asked, filter })).toEqual(shownByHand(sorts, plain, starts))
    }
  }

  async function list(id: string, filter: Rule['filter']) {
    const query = ResponseQuery.parse({ filter: JSON.stringify(filter), survey_id: id })
    const page = await inScope(bench, (scope) => listResponses(scope, query, { limit: 1_000, before: null }))
    return page.data.map((response) => parseId('response', response.id))
  }

  async function widgets(
    queries: ReturnType<typeof queriesOf>,
    { from, to, timezone }: { from: string; to: string; timezone: string },
  ): Promise<Array<Data['widgets'][string]>> {
    const layout = { x: 0, y: 0, w: 4, h: 3 }
    const all = queries.map((query, n) => ({ id: `w${n}`, kind: 'table' as const, title: 'T', query, layout }))
    const content = { period: { from, to }, timezone, filter: { all: [] }, widgets: all }
    return Object.values((await inScope(bench, (scope) => readData(scope, content))).widgets)
  }

  const runs = propertyRuns(5, engine === 'pg' ? 2 : 1, 1)
  test(
    'reports, dashboards and lists equal a count by hand in every zone, whatever changes in the past',
    { timeout: runs.numRuns * 60_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...STARTS),
          fc.array(sent, { minLength: 15, maxLength: 25 }),
          rounds,
          async (start, first, all) => {
            bench.server.clock.set(new Date(start))
            const id = await rolledUpSurvey(bench)
            const anonymous = await anonymousSurvey(bench)
            const surveys: Surveys = { start: new Date(start).getTime(), id, anonymous, sent: [] }
            for (const { kind, minutes, pick: nr } of first) {
              bench.server.clock.advance(minutes * MINUTE)
              await send(surveys, kind, nr)
            }
            await passHours(bench, 30)
            for (const { changes, looks, whole, sweeps } of all) {
              if (sweeps) await passHours(bench, 1)
              for (const each of changes) await make(surveys, each)
              for (const each of looks) await compareFiltered(surveys, each)
              await compareAll(surveys, whole)
            }
          },
        ),
        runs,
      )
    },
  )
})

function rulesAmong(start: number, picks: number[]): Rule[] {
  const all = rulesOf(start)
  return picks.flatMap((nr) => all[nr % all.length] ?? [])
}

function periodOf(start: number, at: { day: number; days: number } | { minute: number; minutes: number }) {
  const moment = (minutes: number) => new Date(start + minutes * MINUTE).toISOString()
  if ('minute' in at) return { from: moment(at.minute), to: moment(at.minute + at.minutes) }
  const day = (n: number) => moment(n * 1_440).slice(0, 10)
  return { from: day(at.day), to: day(at.day + at.days) }
}

async function anonymousSurvey(bench: Bench): Promise<string> {
  const id = await publishSurvey(bench.server, bench.token, {
    privacy: 'anonymous',
    questions: [
      { id: 'q1', type: 'nps', title: 'T' },
      { id: 'q5', type: 'open_text', title: 'T' },
    ],
  })
  await askForRollups(bench, [id])
  return id
}
