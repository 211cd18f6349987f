import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, NPS_SURVEY, submit } from '../../../../testing/makers.ts'
import { recordEmail } from '../../../../testing/recording-email.ts'
import { newTextsSweep } from '../../../answers/verbatim/verbatim.feature.ts'
import { dispatchSweeps } from '../../../outreach/messages/messages.feature.ts'

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

const LATE = 'The delivery was late. Terrible, awful service.'
const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: workspace.token, body })
const classify = () => runSweep(server, newTextsSweep)

async function makeRule(filter: object): Promise<void> {
  const made = await call('POST', '/alert-rules', { name: 'Rule', trigger: { on: 'response', filter } })
  expect(made.status, made.text).toBe(201)
}

async function alerted(): Promise<string[]> {
  return (await call('GET', '/alerts')).body.data.map(({ response_id }: { response_id: string }) => response_id)
}

async function topicId(name: string): Promise<string> {
  const { data } = (await call('GET', '/topics')).body
  return data.find((topic: { name: string }) => topic.name === name).id
}

test.each([
  ['topic', async () => ({ field: 'topic', op: 'eq', value: await topicId('Delivery') })],
  ['sentiment by its label', async () => ({ field: 'sentiment', op: 'one_of', value: ['negative'] })],
  ['sentiment by its number', async () => ({ field: 'sentiment', op: 'lt', value: -0.2 })],
  ['search for words', async () => ({ field: 'text', op: 'search', value: '"delivery was" -great' })],
])('a rule on the %s of a text fires once, when the text is classified', async (_, makeTest) => {
  await makeRule({ all: [{ field: 'score', op: 'lte', value: 9 }, await makeTest()] })
  const { id } = await submit(server, surveyId, { answers: { q1: 5, q3: LATE } })
  await submit(server, surveyId, { answers: { q1: 10, q3: LATE } })
  await submit(server, surveyId, { answers: { q1: 5, q3: 'A great product, I love it.' } })
  await submit(server, surveyId, { answers: { q1: 5 } })
  expect(await alerted()).toEqual([])
  await classify()
  await classify()
  expect(await alerted()).toEqual([id])
})

test('a rule on texts judges a response without a text at once, as one whose topic is unset', async () => {
  await makeRule({
    any: [
      { field: 'sentiment', op: 'eq', value: 'negative' },
      { all: [{ not: { field: 'topic', op: 'is_set' } }, { field: 'score', op: 'eq', value: 0 }] },
    ],
  })
  await submit(server, surveyId, { answers: { q1: 1 } })
  const silent = await submit(server, surveyId, { answers: { q1: 0 } })
  expect(await alerted()).toEqual([silent.id])
  await submit(server, surveyId, { answers: { q1: 0, q3: 'The delivery was great, I love it.' } })
  const spoken = await submit(server, surveyId, { answers: { q1: 1, q3: LATE } })
  expect(await alerted()).toEqual([silent.id])
  await classify()
  expect(await alerted()).toEqual([spoken.id, silent.id])
})

test('rules that search and that look for a part of a text open the same alerts, for an address too', async () => {
  const question = { id: 'mail', type: 'open_text', title: 'T', format: 'email' }
  surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, questions: [...NPS_SURVEY.questions, question] })
  for (const op of ['search', 'contains']) await makeRule({ all: [{ field: 'text', op, value: 'zebra' }] })
  const { id } = await submit(server, surveyId, { answers: { q1: 5, mail: 'zebra@example.com' } })
  await classify()
  await classify()
  expect(await alerted()).toEqual([id, id])
})

test('a rule on the team of the agent fires with the completion', async () => {
  for (const [external_id, team] of [
    ['a1', 'North'],
    ['a2', 'South'],
  ])
    expect((await call('POST', '/agents', { external_id, name: 'Agent', team })).status).toBe(201)
  await makeRule({ all: [{ field: 'team', op: 'eq', value: 'North' }] })
  const { id } = await submit(server, surveyId, { answers: { q1: 5 }, custom_data: { agent_id: 'a1' } })
  await submit(server, surveyId, { answers: { q1: 5 }, custom_data: { agent_id: 'a2' } })
  await submit(server, surveyId, { answers: { q1: 5 } })
  expect(await alerted()).toEqual([id])
})

test('a rule on a segment fires for those whose person is in it', async () => {
  for (const [email, plan] of [
    ['ada@example.com', 'pro'],
    ['grace@example.com', 'free'],
  ])
    await call('POST', '/people', { email, attributes: { plan } })
  const filter = { all: [{ field: 'attribute.plan', op: 'eq', value: 'pro' }] }
  const segment = (await call('POST', '/segments', { name: 'Pro', filter })).body
  await makeRule({ all: [{ field: 'segment_id', op: 'eq', value: segment.id }] })
  const tokens = await invite(['ada@example.com', 'grace@example.com'])
  const answered = new Map<string, string>()
  for (const [email, token] of tokens)
    answered.set(email, (await submit(server, surveyId, { answers: { q1: 5 }, token })).id)
  expect(await alerted()).toEqual([answered.get('ada@example.com')])
})

test('twenty rules on teams ask the database as often as one', async () => {
  const team = (value: string) => makeRule({ all: [{ field: 'team', op: 'eq', value }] })
  const statements = async () => {
    await submit(server, surveyId, { answers: { q1: 5 } })
    const before = server.statements.length
    await submit(server, surveyId, { answers: { q1: 5 } })
    return server.statements.length - before
  }
  await team('North')
  const one = await statements()
  for (let n = 1; n < 20; n += 1) await team(`Team ${n}`)
  expect(await statements()).toBe(one)
})

test('rules that name the same segments in any order ask for each once', async () => {
  const segments = await makeSegments(3)
  const statements = await statementsOfAnswer([{ field: 'segment_id', op: 'one_of', value: segments }])
  const again = await statementsOfAnswer([
    { field: 'segment_id', op: 'not_one_of', value: segments.toReversed() },
    { field: 'segment_id', op: 'eq', value: segments[1] },
    { field: 'segment_id', op: 'one_of', value: [...segments.slice(1), segments[0], segments[1]] },
  ])
  expect(segmentsIn(statements)).toEqual([3])
  expect(segmentsIn(again)).toEqual([3])
})

test('rules that name many segments ask for at most four in one statement', async () => {
  const segments = await makeSegments(10)
  const rules = [segments.slice(0, 5), segments.slice(3, 8), segments.slice(6)]
  const statements = await statementsOfAnswer(rules.map((value) => ({ field: 'segment_id', op: 'not_one_of', value })))
  expect(segmentsIn(statements)).toEqual([4, 4, 2])
  expect(await alerted()).toHaveLength(2 * rules.length)
})

test('a response without a person asks for no segment, and is in none', async () => {
  const segments = await makeSegments(2)
  await makeRule({ all: [{ field: 'segment_id', op: 'one_of', value: segments }] })
  await makeRule({ all: [{ field: 'segment_id', op: 'not_one_of', value: segments }] })
  const before = server.statements.length
  const { id } = await submit(server, surveyId, { answers: { q1: 5 } })
  expect(segmentsIn(server.statements.slice(before).map(({ text }) => text))).toEqual([])
  expect(await alerted()).toEqual([id])
})

test('rules that are on name at most 100 segments together', async () => {
  const segments = await makeSegments(101)
  const rule = (value: string[], enabled = true) =>
    call('POST', '/alert-rules', {
      name: 'Many',
      enabled,
      trigger: { on: 'response', filter: { all: [{ field: 'segment_id', op: 'one_of', value }] } },
    })
  for (let at = 0; at < 100; at += 10) expect((await rule(segments.slice(at, at + 10))).status).toBe(201)
  expect((await rule(segments.slice(5, 15))).status).toBe(201)
  const more = await rule(segments.slice(100))
  expect([more.status, more.body.code, more.body.issues[0].path]).toEqual([422, 'too_many', 'trigger.filter'])
  const off = await rule(segments.slice(100), false)
  expect(off.status).toBe(201)
  expect((await call('PATCH', `/alert-rules/${off.body.id}`, { enabled: true })).status).toBe(422)
})

async function makeSegments(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const filter = { all: [{ field: 'attribute.plan', op: 'eq', value: `plan ${n}` }] }
    ids.push((await call('POST', '/segments', { name: `Segment ${n}`, filter })).body.id)
  }
  return ids
}

/** The statements of an answer, once the rules of these tests are known. */
async function statementsOfAnswer(tests: object[]): Promise<string[]> {
  for (const test of tests) await makeRule({ all: [test] })
  await submit(server, surveyId, { answers: { q1: 5 } })
  const email = `ada.${tests.length}@example.com`
  const tokens = await invite([email])
  const before = server.statements.length
  await submit(server, surveyId, { answers: { q1: 5 }, token: tokens.get(email) })
  return server.statements.slice(before).map(({ text }) => text)
}

/** Invites people by mail. Returns the token of each address. */
async function invite(emails: string[]): Promise<Map<string, string | undefined>> {
  const mail = recordEmail(server)
  await inviteToSurvey(server, workspace, surveyId, { recipients: emails.map((email) => ({ email })) })
  await runSweep(server, dispatchSweeps.email)
  return new Map(mail.sent.map(({ to, text }) => [to, /[?&]t(?:oken)?=([\w.~-]+)/.exec(text)?.[1]]))
}

/** How many segments each statement asks for, of those that do. */
function segmentsIn(statements: string[]): number[] {
  return statements.map((text) => text.split('from people member').length - 1).filter((count) => count > 0)
}
