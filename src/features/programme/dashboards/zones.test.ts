import { DateTime } from 'luxon'
import { mean, standardDeviation } from 'simple-statistics'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'

// Clocks went back in New York on 1 November, in Berlin on 25 October, and forward by half an hour on Lord Howe Island
// on 4 October.
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe']
const [FROM, TO] = ['2026-09-30', '2026-11-05']
const HOURS = 37 * 24

interface Given {
  at: Date
  metric: 'nps' | 'csat' | 'ces'
  score: number
}

let server: TestServer
let owner: TestWorkspace
let given: Given[]
beforeAll(async () => {
  server = await startTestServer({ now: new Date('2026-11-10T00:00:00Z') })
  owner = await createWorkspace(server)
  const surveyId = await makeLiveSurvey(server, owner, NPS_SURVEY)
  const { id } = await submit(server, surveyId, { answers: { q1: 9 } })
  // Every half hour of the period has answers, so each edge of a day has some on both sides.
  given = Array.from({ length: HOURS * 2 }, (_, n) => {
    const at = new Date(Date.parse(`${FROM}T00:00:00Z`) + n * 1_800_000 + (n % 7) * 1_000)
    const scores = { nps: (n * 7) % 11, csat: 1 + ((n * 3) % 5), ces: 1 + ((n * 5) % 7) }
    return (['nps', 'csat', 'ces'] as const).map((metric) => ({ at, metric, score: scores[metric] }))
  }).flat()
  await server.peek(
    `insert into responses (tenant_id, id, survey_id, survey_version, state, channel, language, answers, text, custom_data,
       path, metric, score, band, started_at, completed_at, tags, notes, quality_flags, quotas, updated_at)
     select r.tenant_id, gen_random_uuid(), r.survey_id, 1, 'completed', 'web', 'en', '[]', '[]', '{}', '{}', g.metric,
       g.score, 'x', g.at, g.at, '{}', '[]', '{}', '{}', g.at
     from responses r cross join unnest($2::timestamptz[], $3::text[], $4::int[]) as g (at, metric, score) where r.id = $1`,
    [
      parseId('response', id),
      given.map(({ at }) => at),
      given.map(({ metric }) => metric),
      given.map(({ score }) => score),
    ],
  )
}, 60_000)
afterAll(() => server.close())

test.each(ZONES)('each day in %s has the figures of its own hours, also where the clocks change', async (timezone) => {
  const measures = ['nps', 'csat', 'ces'] as const
  const widgets = measures.map((measure, n) => ({
    id: measure,
    kind: 'line',
    title: 'T',
    query: { source: 'responses', measure, interval: 'day' },
    layout: { x: 0, y: n, w: 4, h: 3 },
  }))
  const body = { name: timezone, timezone, period: { from: FROM, to: TO }, widgets }
  const made = await server.request('POST', '/v1/dashboards', { token: owner.token, body })
  expect(made.status, made.text).toBe(201)
  const shown = await server.request('GET', `/v1/dashboards/${made.body.id}/data`, { token: owner.token })
  for (const measure of measures) {
    const days = Map.groupBy(
      given.filter(({ metric }) => metric === measure),
      ({ at }) => DateTime.fromJSDate(at, { zone: timezone }).toISODate() ?? '',
    )
    const { series } = shown.body.widgets[measure]
    expect(series.length).toBeGreaterThan(35)
    for (const { date, n, value, interval } of series) {
      const scores = (days.get(date) ?? []).map(({ score }) => score)
      expect(n, `${measure} ${date}`).toBe(scores.length)
      if (n < 5) continue
      const expected = FIGURES[measure](scores)
      expect(value, `${measure} ${date}`).toBeCloseTo(expected.value, 1)
      expect(interval.low).toBeCloseTo(expected.low, 1)
      expect(interval.high).toBeCloseTo(expected.high, 1)
    }
    // The days of a change have 25 or 23 hours, or half an hour less.
    const lengths = new Set(series.map(({ n }: { n: number }) => n).filter((n: number) => n > 24))
    expect(lengths.size).toBeGreaterThan(1)
  }
})

const FIGURES = {
  nps(scores: number[]) {
    const signs = scores.map((score) => (score > 8 ? 100 : score > 6 ? 0 : -100))
    return around(mean(signs), (1.96 * standardDeviation(signs)) / Math.sqrt(signs.length), -100, 100)
  },
  csat(scores: number[]) {
    const [z, n] = [1.96, scores.length]
    const share = mean(scores.map((score) => (score > 3 ? 1 : 0)))
    const centre = (share + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
    const reach = (z / (1 + z ** 2 / n)) * Math.sqrt((share * (1 - share)) / n + z ** 2 / (4 * n ** 2))
    return { value: 100 * share, low: 100 * (centre - reach), high: 100 * (centre + reach) }
  },
  ces(scores: number[]) {
    // The quantile of t for 22 to 49 degrees of freedom, by Cornish and Fisher's expansion.
    const [z, v] = [1.959964, scores.length - 1]
    const t = z + (z ** 3 + z) / (4 * v) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * v ** 2)
    const easy = scores.map((score) => (score > 4 ? 100 : 0))
    return around(mean(easy), (t * standardDeviation(easy)) / Math.sqrt(v), 0, 100)
  },
}

function around(value: number, reach: number, least: number, most: number) {
  return { value, low: Math.max(least, value - reach), high: Math.min(most, value + reach) }
}
