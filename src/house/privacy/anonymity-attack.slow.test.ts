import { afterAll, beforeAll, expect, test } from 'vitest'
import { features } from '../../features.ts'
import { createWorkspace, runSweep, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { publishSurvey, submit } from '../../testing/survey-fixtures.ts'

// Two workspaces are set up alike, and their anonymous surveys differ in the answers of fewer than five people.
// Somebody who may do everything asks both the same questions. If all the answers are the same, they tell nothing of
// those people. Left out, because they are told of each response as the contract says: webhooks, and members who
// subscribe.

const DAY_MS = 86_400_000
const QUESTIONS = [
  { id: 'q1', type: 'nps', title: 'T' },
  { id: 'q2', type: 'single', title: 'T', choices: ['a', 'b'].map((id) => ({ id, label: id })) },
  { id: 'q3', type: 'open_text', title: 'T' },
]
const FIELDS: Array<[field: string, op: string, value?: unknown]> = [
  ['state', 'eq', 'completed'],
  ['channel', 'eq', 'link'],
  ['language', 'eq', 'en'],
  ['metric', 'eq', 'nps'],
  ['score', 'lte', 3],
  ['band', 'eq', 'detractor'],
  ['tag', 'eq', 'late'],
  ['quality_flag', 'is_set'],
  ['completed_at', 'within_days', 400],
  ['started_at', 'gte', '2026-03-01'],
  ['duration_ms', 'is_not_set'],
  ['person_id', 'is_not_set'],
  ['agent_id', 'is_not_set'],
  ['team', 'is_not_set'],
  ['custom.plan', 'eq', 'gold'],
  ['answer.q1', 'eq', 0],
  ['answer.q2', 'eq', 'b'],
  ['answer.q3', 'is_set'],
  ['text', 'contains', 'unmistakable'],
  ['text', 'search', 'unmistakable'],
  ['sentiment', 'lte', 1],
  ['topic', 'is_set'],
]

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** A workspace with an anonymous survey, and everything that can look at one. */
interface House {
  workspace: TestWorkspace
  surveyId: string
  paths: string[]
}

async function openHouse(): Promise<House> {
  const workspace = await createWorkspace(server, { email: `owner-${houses++}@example.com` })
  const { token } = workspace
  const surveyId = await publishSurvey(server, token, {
    privacy: 'anonymous',
    questions: QUESTIONS,
    custom_fields: ['plan'],
    quotas: [{ id: 'all', limit: 100 }],
  })
  const make = async (path: string, body: object) => {
    const answer = await server.request('POST', path, { token, body })
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300)
    return answer.body as { id: string; token: string }
  }
  const query = { source: 'responses', survey_ids: [surveyId] }
  const widgets = ['count', 'nps', 'completion_rate', 'median_duration'].flatMap((measure) =>
    [undefined, 'channel', 'language', 'band', 'agent', 'team', 'tag', 'topic', 'sentiment', 'custom.plan', 'answer.q2']
      .map((by) => ({ ...query, measure, ...(by && { by: [by] }) }))
      .concat([{ ...query, measure, interval: 'day' } as never]),
  )
  const paths: string[] = []
  for (let at = 0; at < widgets.length; at += 12) {
    const dashboard = await make('/v1/dashboards', {
      name: `Figures ${at}`,
      widgets: widgets.slice(at, at + 12).map((each, n) => ({
        id: `w${n}`,
        kind: 'interval' in each ? 'line' : 'by' in each ? 'bar' : 'number',
        title: 'T',
        query: each,
        layout: { x: 0, y: n, w: 4, h: 1 },
      })),
    })
    const share = await make(`/v1/dashboards/${dashboard.id}/share`, {})
    const report = await make('/v1/reports', { name: 'R', dashboard_id: dashboard.id })
    paths.push(`/v1/dashboards/${dashboard.id}/data`, `/public/dashboards/${share.token}`, `/public/d/${share.token}`)
    reports.set(report.id, workspace)
  }
  const badge = await make('/v1/badges', { name: 'B', survey_id: surveyId, metric: 'nps', min_n: 1 })
  const segment = await make('/v1/segments', {
    name: 'S',
    filter: { all: [{ field: 'responded', op: 'within_days', value: { days: 400, survey_id: surveyId } }] },
  })
  await make('/v1/alert-rules', {
    name: 'Low',
    trigger: { on: 'response', filter: { all: [{ field: 'score', op: 'lte', value: 10 }] } },
  })
  paths.push(
    `/public/badges/${badge.token}.svg`,
    `/public/badges/${badge.token}.json`,
    `/v1/segments/${segment.id}/preview`,
    `/v1/surveys/${surveyId}`,
    `/v1/surveys/${surveyId}/versions`,
    `/public/s/${surveyId}`,
    `/public/surveys/${surveyId}`,
  )
  return { workspace, surveyId, paths }
}
let houses = 0
const reports = new Map<string, TestWorkspace>()

function answer(house: House, n: number, { link = false } = {}) {
  const answers = {
    q1: n % 4 === 0 ? 0 : 10,
    q2: n % 4 === 0 ? 'b' : 'a',
    q3: `The delivery was late, unmistakable ${n}`,
  }
  const rest = { custom_data: { plan: n % 4 === 0 ? 'gold' : 'free' }, channel: link ? 'link' : 'web' }
  return submit(server, house.surveyId, answers, rest)
}

/** Everything that a caller can learn. The names of things are the same in both workspaces. */
async function askAll(house: House): Promise<string[]> {
  const { surveyId, workspace } = house
  const { token } = workspace
  const heard: string[] = []
  const names = new Map<string, string>()
  const plain = (text: string) =>
    text
      .replaceAll(/owner-\d+@/g, 'owner@')
      .replaceAll(/(?<![a-z])([a-z]{2,4})_[0-9a-z]{26}\b/g, (id, kind: string) => {
        if (!names.has(id)) names.set(id, `${kind}_${names.size}`)
        return names.get(id) as string
      })
      .replaceAll(/(?<=\/(?:badges|dashboards|d)\/)[\w-]{16,}/g, '…')
      // Numbers that the chart library gives out.
      .replaceAll(/\bzr\d+-c(?:ls-)?\d+/g, 'zr')
      .replaceAll(
        /\bv1\.[0-9a-f]{8}\.[\w.…-]+|[\w-]{60,}|"(?:hash|previous_hash|request_id|token|prefix|last_four)":"[^"]*"|nonce="[^"]*"/g,
        '…',
      )
  const ask = async (method: string, path: string, body?: object) => {
    // An attacker has time.
    if (heard.length % 100 === 0) await server.peek('delete from rate_limits')
    const said = await server.request(method, path, { token, ...(body && { body }) })
    expect([401, 429]).not.toContain(said.status)
    heard.push(plain(`${method} ${path} ${body ? JSON.stringify(body) : ''}: ${said.status} ${said.text}`))
    return said
  }
  const about = (test: object) => ({ all: [{ field: 'survey_id', op: 'eq', value: surveyId }, test] })
  const filters = [
    { all: [] },
    { not: { any: [] } },
    ...FIELDS.flatMap(([field, op, value]) => {
      const test = { field, op, ...(value !== undefined && { value }) }
      return [{ all: [test] }, about(test), about({ not: test }), { not: about(test) }]
    }),
  ]
  const queries = filters.map((filter) => `filter=${encodeURIComponent(JSON.stringify(filter))}`)
  for (const path of house.paths) await ask('GET', path)
  for (const query of queries) {
    await ask('GET', `/v1/responses?${query}`)
    await ask('GET', `/v1/verbatim?${query}`)
    await ask('GET', `/v1/verbatim/themes?${query}`)
    await ask('GET', `/v1/surveys/${surveyId}/report?${query}`)
  }
  for (const filter of filters) {
    const trigger = { on: 'response', filter }
    await ask('POST', '/v1/alert-rules/preview', { trigger, survey_ids: [surveyId], days: 30 })
    await ask('POST', '/v1/adept/summarize', { filter })
  }
  await ask('POST', '/v1/adept/summarize', { survey_ids: [surveyId] })
  for (const question of [
    'How many answered?',
    'What is the NPS?',
    'Who wrote unmistakable?',
    'What do detractors say?',
  ])
    await ask('POST', '/v1/adept/ask', { question, survey_ids: [surveyId] })
  for (const rest of [
    'state=completed',
    'band=detractor',
    'channel=link',
    'language=en',
    'tag=late',
    'search=unmistakable',
  ])
    await ask('GET', `/v1/responses?survey_id=${surveyId}&${rest}`)
  for (const rest of ['search=unmistakable', 'sort=score', 'search=deliv*'])
    await ask('GET', `/v1/verbatim?${rest}&${queries[3]}`)
  const today = server.clock.now().getTime()
  const day = (back: number) => new Date(today - back * DAY_MS).toISOString().slice(0, 10)
  for (const [from, to] of [
    [day(0), day(0)],
    [day(1), day(0)],
    [day(7), day(1)],
    [day(30), day(0)],
  ] as const)
    for (const interval of ['day', 'week', 'month'])
      for (const timezone of ['UTC', 'Pacific/Kiritimati'])
        await ask('GET', `/v1/surveys/${surveyId}/report?${new URLSearchParams({ from, to, interval, timezone })}`)
  for (const metric of ['nps', 'csat', 'ces'])
    await ask('GET', `/v1/agents/leaderboard?metric=${metric}&survey_id=${surveyId}&min_n=1`)
  for (const path of [
    'surveys',
    'alerts',
    'leads',
    'people',
    'sends',
    'survey-deliveries',
    'notifications',
    'segments',
    'agents',
  ])
    expect((await ask('GET', `/v1/${path}`)).status).toBe(200)
  for (const source of ['responses', 'verbatim', 'alerts', 'leads', 'people', 'sends'])
    for (const extra of source === 'responses'
      ? [{}, { survey_id: surveyId }, { filter: about({ field: 'score', op: 'lte', value: 3 }) }]
      : [{}]) {
      const run = await ask('POST', '/v1/export-runs', { source, format: 'jsonl', ...extra })
      if (run.status !== 202) continue
      await work()
      await ask('GET', `/v1/export-runs/${run.body.id}`)
      await ask('GET', `/v1/export-runs/${run.body.id}/manifest`)
      await ask('GET', `/v1/export-runs/${run.body.id}/parts/1`)
    }
  for (const [id, owner] of reports) {
    if (owner !== workspace) continue
    const run = await ask('POST', `/v1/reports/${id}/run`)
    await work()
    await ask('GET', `/v1/reports/${id}/runs/${run.body.id}/document`)
  }
  return heard
}

/** Everything that works in the background, until nothing is left. */
async function work(): Promise<void> {
  for (let round = 0; round < 4; round++)
    for (const { sweeps = [] } of features) for (const sweep of sweeps) await runSweep(server, sweep)
}

/** The answers that differ between the two houses, and the number of questions. */
async function compare(one: House, other: House) {
  await work()
  const mine = await askAll(one)
  const theirs = await askAll(other)
  expect(mine.length).toBe(theirs.length)
  const differing = mine.flatMap((said, n) => (said === theirs[n] ? [] : [difference(said, theirs[n] ?? '')]))
  return { questions: mine.length, differing }
}

/** The question, and where the two answers part. */
function difference(mine: string, theirs: string): string {
  let at = 0
  while (mine[at] === theirs[at]) at += 1
  const from = Math.max(0, at - 60)
  return `${mine.slice(0, 80)} … ${mine.slice(from, at + 60)} ≠ ${theirs.slice(from, at + 60)}`
}

test('an anonymous survey shows nothing of fewer than five people, whatever is asked', async () => {
  const [one, other] = [await openHouse(), await openHouse()]
  for (let n = 0; n < 4; n++) await answer(one, n)
  const below = await compare(one, other)
  expect(below.questions).toBeGreaterThan(400)
  expect(below.differing, 'four have answered, or nobody').toEqual([])

  for (let n = 0; n < 4; n++) await answer(other, n)
  for (const house of [one, other]) await answer(house, 4)
  expect((await compare(one, other)).differing, 'five have answered alike').toEqual([])

  for (let n = 5; n < 9; n++) {
    await answer(one, n)
    server.clock.advance(DAY_MS / 4)
    // A session ends when nobody uses it for twelve hours.
    for (const { workspace } of [one, other]) await server.request('GET', '/v1/me', { token: workspace.token })
  }
  expect((await compare(one, other)).differing, 'four more have answered').toEqual([])
  for (let n = 5; n < 9; n++) await answer(other, n)
  for (const house of [one, other])
    for (let n = 9; n < 12; n++) await answer(house, n, { link: house === one && n > 9 })
  expect((await compare(one, other)).differing, 'the last two of twelve have another channel').toEqual([])

  await server.peek('delete from rate_limits')
  const wide = await server.request('GET', `/v1/surveys/${one.surveyId}/report`, { token: one.workspace.token })
  expect(wide.body.nps.n, 'and yet there are figures').toBe(12)
}, 600_000)
