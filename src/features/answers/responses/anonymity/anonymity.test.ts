import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ValueType } from '../../../../platform/fields/values.ts'
import { parseId } from '../../../../platform/ids.ts'
import { features } from '../../../../features.ts'
import { PERMISSIONS } from '../../../../platform/permissions.ts'
import { createApiKey, createWorkspace, runSweep } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { startReceiver, type Receiver } from '../../../../testing/receiver.ts'
import { publishSurvey, submit } from '../../../../testing/survey-fixtures.ts'
import { createDeliveryEngine } from '../../../delivery/webhooks/engine/delivery-engine.ts'
import { responses } from '../../rows/response.entity.ts'
import { thresholdSweep } from '../responses.feature.ts'

const DAY_MS = 86_400_000
const ANONYMOUS = {
  privacy: 'anonymous',
  questions: [
    { id: 'q1', type: 'nps', title: 'T' },
    { id: 'q2', type: 'single', title: 'T', choices: ['a', 'b'].map((id) => ({ id, label: id })) },
    { id: 'q3', type: 'open_text', title: 'T' },
  ],
  custom_fields: ['plan'],
}

let server: TestServer
let receiver: Receiver
let token: string
beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
})
beforeEach(async () => {
  receiver.requests.length = 0
  const workspace = await createWorkspace(server)
  // A session would end within the day.
  token = (await createApiKey(server, workspace.token, [...PERMISSIONS])).key
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})

const call = async (method: string, path: string, body?: unknown) =>
  (await server.request(method, path, { token, ...(body !== undefined && { body }) })).body
const register = () => call('POST', '/v1/webhooks', { url: receiver.url, events: ['response.completed'] })
const dayOf = (at: Date) => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS).toISOString()

/** Another process does what is due: it knows nothing but the database. */
async function work(): Promise<void> {
  await runSweep(server, thresholdSweep)
  const { run, log, settings, clock } = server.services
  const engine = createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
  await engine.sweep()
  await engine.idle()
  await engine.stop()
}
const toldScores = () => receiver.requests.map(({ body }) => JSON.parse(body).data.score.value)

test('events wait for the end of the day and for five, and leave in random order by their day', async () => {
  await register()
  const id = await publishSurvey(server, token, ANONYMOUS)
  for (let q1 = 0; q1 < 4; q1++) await submit(server, id, { q1 }, { custom_data: { plan: 'pro' } })
  server.clock.advance(DAY_MS)
  await work()
  expect(receiver.requests, 'four wait').toEqual([])
  const day = dayOf(server.clock.now())
  for (let q1 = 4; q1 < 11; q1++) {
    await submit(server, id, { q1 })
    server.clock.advance(60_000)
  }
  await call('GET', `/v1/surveys/${id}/report`)
  await work()
  expect(receiver.requests, 'the day is not over').toEqual([])
  expect((await call('GET', '/v1/webhook-deliveries')).data).toEqual([])
  server.clock.advance(DAY_MS)
  await Promise.all([work(), work()])
  await work()
  expect(toldScores().toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(toldScores(), 'not in the order of their answers').not.toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  for (const { body } of receiver.requests) {
    const { id: eventId, createdAt, data } = JSON.parse(body)
    expect([createdAt, data.startedAt, data.completedAt]).toEqual([day, day, day])
    expect(data).toMatchObject({ omitted: ['customData'] })
    expect(data).not.toHaveProperty('customData')
    expect(momentIn('event', eventId)).toBe(day)
  }
  const { data: deliveries } = await call('GET', '/v1/webhook-deliveries?limit=100')
  for (const { id: deliveryId, created_at, delivered_at, status } of deliveries) {
    expect([status, created_at, delivered_at]).toEqual(['delivered', day, day])
    expect(momentIn('delivery', deliveryId)).toBe(day)
    const { attempt_log, payload_changed } = await call('GET', `/v1/webhook-deliveries/${deliveryId}`)
    expect(attempt_log).toMatchObject([{ at: day, timestamp: null, signature: null }])
    expect(payload_changed).toBe(false)
  }
  const again = await call('POST', `/v1/webhook-deliveries/${deliveries[0].id}/resend`)
  expect(again).toMatchObject({ created_at: day, event_id: deliveries[0].event_id })
  await work()
})

function momentIn(kind: 'event' | 'delivery', id: string): string {
  const hex = String(parseId(kind, id)).replace('-', '').slice(0, 12)
  return new Date(Number.parseInt(hex, 16)).toISOString()
}

test('figures have nothing of a response that an anonymous survey leaves blank', async () => {
  const left = [...responses.columns].filter(([, { anonymous }]) => anonymous === 'none')
  expect(left.map(([name]) => name)).toEqual(['agent_id', 'person_id', 'duration_ms', 'quality_flags'])
  const id = await publishSurvey(server, token, ANONYMOUS)
  const ofSurvey = `survey_id = '${parseId('survey', id)}'`
  for (let q1 = 0; q1 < 5; q1++) await submit(server, id, { q1 })
  const values: Partial<Record<ValueType, string>> = { id: 'id', whole: '5', list: `array['quick']` }
  for (const [name, { is }] of left)
    await server.peek(`update responses set ${name} = ${values[is.type] ?? 'no value'} where ${ofSurvey}`)
  await call('GET', `/v1/surveys/${id}/report`)
  const figures = await server.peek(`
    select ${left.map(([name]) => name).join(', ')} from responses where ${ofSurvey} and anonymity = 'figure'`)
  const blank = { agent_id: null, person_id: null, duration_ms: null, quality_flags: [] }
  expect(figures).toEqual(Array.from({ length: 5 }, () => blank))
})

test('the groups of events are those of the figures', async () => {
  await register()
  const id = await publishSurvey(server, token, ANONYMOUS)
  for (let n = 0; n < 5; n++) await submit(server, id, { q1: 1 })
  expect((await call('GET', `/v1/surveys/${id}/report`)).nps.n).toBe(5)
  for (let n = 0; n < 4; n++) await submit(server, id, { q1: 9 })
  server.clock.advance(DAY_MS)
  await runSweep(server, thresholdSweep)
  const waiting = await server.peek<{ created_at: Date }>('select created_at from webhook_queue')
  expect(waiting, 'none of them is late').toEqual(Array(5).fill({ created_at: server.clock.now() }))
  await work()
  expect(toldScores()).toEqual([1, 1, 1, 1, 1])
  await submit(server, id, { q1: 9 })
  server.clock.advance(DAY_MS)
  await work()
  expect(toldScores().slice(5)).toEqual([9, 9, 9, 9, 9])
  expect((await call('GET', `/v1/surveys/${id}/report`)).nps.n).toBe(10)
})

test('at the close the rest leaves, unless the survey has fewer than five in all', async () => {
  const webhook = await register()
  const [full, small] = [await publishSurvey(server, token, ANONYMOUS), await publishSurvey(server, token, ANONYMOUS)]
  for (let n = 0; n < 5; n++) await submit(server, full, { q1: 1 })
  await call('GET', `/v1/surveys/${full}/report`)
  const last = await submit(server, full, { q1: 9, q3: 'Me' })
  const few = await submit(server, small, { q1: 7 })
  const explain = async (response: { body: { id: string } }) =>
    (await call('GET', `/v1/webhooks/${webhook.id}/explain?response_id=${response.body.id}`)).reasons.find(
      ({ check }: { check: string }) => check === 'threshold' || check === 'below_threshold',
    )
  server.clock.advance(DAY_MS)
  await work()
  expect(toldScores()).toEqual([1, 1, 1, 1, 1])
  expect(await explain(last)).toMatchObject({ check: 'threshold', ok: false })
  for (const id of [full, small]) await call('POST', `/v1/surveys/${id}/close`)
  await work()
  expect(toldScores()).toEqual([1, 1, 1, 1, 1, 9])
  expect(await explain(last)).toMatchObject({ check: 'threshold', ok: true })
  expect(await explain(few)).toMatchObject({ check: 'below_threshold', ok: false })
  expect((await call('GET', `/v1/surveys/${full}/report`)).nps.n, 'figures never show fewer than five').toBe(5)
  const filter = JSON.stringify({ all: [{ field: 'survey_id', op: 'eq', value: full }] })
  expect((await call('GET', `/v1/verbatim?${new URLSearchParams({ filter })}`)).data).toEqual([])
})

test('a backfill sends what has left, and counts nothing else', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const webhook = await register()
  const since = server.clock.now().toISOString()
  const count = async () =>
    (
      await call('POST', `/v1/webhooks/${webhook.id}/backfill`, {
        survey_id: id,
        since: since.slice(0, 10),
        dry_run: true,
      })
    ).queued
  for (let n = 0; n < 6; n++) await submit(server, id, { q1: n })
  expect(await count()).toBe(0)
  server.clock.advance(DAY_MS)
  await work()
  await submit(server, id, { q1: 6 })
  expect(await count()).toBe(6)
})

test('answers to a question enter figures by five, and those that are too few wait for others', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const shown = async (query = '') => {
    const { nps, questions, counts, trend } = await call('GET', `/v1/surveys/${id}/report?${query}`)
    const choices = Object.fromEntries(
      questions[1].distribution.map(({ value, count }: { value: string; count: number }) => [value, count]),
    )
    return { n: nps.n, completed: counts.completed, b: choices.b, answered: questions[1].answered, trend }
  }
  const answer = (n: number, q2?: string) => submit(server, id, { q1: n, ...(q2 && { q2 }) })
  for (let n = 0; n < 4; n++) await answer(n, 'a')
  await answer(9)
  expect(await shown(), 'four have answered').toMatchObject({ n: 5, completed: 5, b: 0, answered: 0 })
  for (let n = 0; n < 5; n++) await answer(n, n === 0 ? 'b' : undefined)
  expect(await shown(), 'one more makes five').toMatchObject({ n: 10, completed: 10, b: 1, answered: 5 })
  for (let n = 0; n < 5; n++) await answer(n, n < 4 ? 'b' : undefined)
  expect(await shown(), 'four more wait').toMatchObject({ n: 15, completed: 15, b: 1, answered: 5 })
  server.clock.advance(DAY_MS)
  for (let n = 0; n < 5; n++) await answer(n, n < 2 ? 'b' : undefined)
  const day = server.clock.now().toISOString().slice(0, 10)
  expect(await shown()).toMatchObject({ n: 20, completed: 20, b: 7, answered: 11 })
  expect(await shown(`from=${day}&to=${day}`), 'they count where they are shown').toMatchObject({
    n: 5,
    completed: 5,
    b: 6,
    answered: 6,
  })
  const total = (await shown()).trend.reduce((sum: number, each: { completed: number }) => sum + each.completed, 0)
  expect(total).toBe(20)
})

test('scores of a question that few answer wait too, and a dashboard shows the same', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const widget = (name: string, query: object) => ({
    id: name,
    kind: 'number',
    title: 'T',
    query: { source: 'responses', survey_ids: [id], ...query },
    layout: { x: 0, y: 0, w: 4, h: 1 },
  })
  const dashboard = await call('POST', '/v1/dashboards', {
    name: 'D',
    widgets: [widget('n', { measure: 'count' }), widget('nps', { measure: 'nps' })],
  })
  const shown = async () => {
    const { widgets } = await call('GET', `/v1/dashboards/${dashboard.id}/data`)
    return [widgets.n.n, widgets.nps.n, (await call('GET', `/v1/surveys/${id}/report`)).nps.n]
  }
  for (let n = 0; n < 6; n++) await submit(server, id, n < 2 ? { q1: n, q3: 'Word' } : { q2: 'a', q3: 'Word' })
  expect(await shown()).toEqual([6, 0, 0])
  for (let n = 0; n < 5; n++) await submit(server, id, n < 4 ? { q1: n } : { q2: 'a' })
  expect(await shown()).toEqual([11, 6, 6])
})

test('figures visit only surveys that can go on, and none for other sources', async () => {
  const figures = async (source: string) => {
    const before = server.statements.length
    const body = { period: { days: 30 }, queries: { n: { source, measure: 'count' } } }
    const { n } = (await call('POST', '/v1/figures', body)).figures.n
    const texts = server.statements.slice(before).map(({ text }) => text)
    return { n, waiting: texts.filter((text) => text.includes("anonymity = 'held'")).length }
  }
  const ids: string[] = []
  for (let n = 0; n < 6; n++) ids.push(await publishSurvey(server, token, ANONYMOUS))
  for (const id of ids) for (let n = 0; n < 4; n++) await submit(server, id, { q1: 1 })
  // Four of each outcome are no group.
  const mixed = await publishSurvey(server, token, {
    ...ANONYMOUS,
    endings: [{ id: 'out', title: 'T', outcome: 'screened_out' }],
    logic: [{ when: { question: 'q2', op: 'eq', value: 'b' }, then: [{ action: 'end', ending: 'out' }] }],
  })
  for (let n = 0; n < 8; n++) await submit(server, mixed, { q1: 1, q2: n % 2 ? 'a' : 'b' })
  expect(await figures('responses')).toEqual({ n: 0, waiting: 1 })
  await submit(server, ids[0] ?? '', { q1: 1 })
  await submit(server, mixed, { q1: 1, q2: 'b' })
  expect(await figures('webhook_deliveries')).toEqual({ n: 0, waiting: 0 })
  expect(await figures('responses')).toEqual({ n: 10, waiting: 5 })
  expect(await figures('responses')).toEqual({ n: 10, waiting: 1 })
})

test('the sweep visits only surveys whose groups could have changed', async () => {
  const visits = async () => {
    server.clock.advance(DAY_MS)
    const before = server.statements.length
    await runSweep(server, thresholdSweep)
    const texts = server.statements.slice(before).map(({ text }) => text)
    return texts.filter((text) => text.includes("set anonymity = 'counted', counted_on = (select")).length
  }
  await visits()
  const ofOthers = await visits()
  const ids: string[] = []
  for (let n = 0; n < 4; n++) ids.push(await publishSurvey(server, token, ANONYMOUS))
  for (const id of ids) for (let n = 0; n < 4; n++) await submit(server, id, { q1: 1 })
  expect(await visits()).toBe(ofOthers)
  await submit(server, ids[2] ?? '', { q1: 1 })
  expect(await visits()).toBe(ofOthers + 1)
  expect(await visits(), 'all have been told').toBe(ofOthers)
})

test('a report says nothing of a question that a rule showed to fewer than five', async () => {
  const id = await publishSurvey(server, token, {
    ...ANONYMOUS,
    questions: [...ANONYMOUS.questions.slice(0, 2), { id: 'probe', type: 'statement', title: 'T' }],
    logic: [{ when: { question: 'q2', op: 'eq', value: 'a' }, then: [{ action: 'hide', question: 'probe' }] }],
  })
  const reachedOf = async () => {
    const { questions } = await call('GET', `/v1/surveys/${id}/report`)
    return (questions as Array<{ question_id: string; reached: number }>).map((each) => each.reached)
  }
  for (const q2 of ['a', 'a', 'a', 'a', 'a', 'b']) await submit(server, id, { q1: 9, q2 })
  expect(await reachedOf(), 'one of six').toEqual([6, 6, 0])
  for (let n = 0; n < 5; n++) await submit(server, id, { q1: 9, q2: 'b' })
  expect(await reachedOf(), 'all five of the next').toEqual([11, 11, 5])
  for (const q2 of ['a', 'b', 'b', 'b', 'b', 'b']) await submit(server, id, { q1: 9, q2 })
  expect(await reachedOf(), 'all but one').toEqual([17, 17, 5])
})

test('nobody may ask for the data of one response', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  const { body } = await submit(server, id, { q1: 1 })
  for (const kind of ['access', 'erasure', 'portability'])
    for (const dry_run of [true, false])
      expect(
        await call('POST', '/v1/gdpr/requests', { kind, dry_run, subject: { response_ids: [body.id] } }),
      ).toMatchObject({ status: 422, code: 'anonymous', issues: [{ path: 'subject.response_ids.0' }] })
})

test('a quota on answers that was published before refuses nobody', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  await server.peek(
    `update survey_versions set definition = jsonb_set(definition, '{quotas}', $1) where survey_id = $2`,
    [JSON.stringify([{ id: 'b', limit: 1, when: { question: 'q2', op: 'eq', value: 'b' } }]), parseId('survey', id)],
  )
  for (let n = 0; n < 3; n++) expect((await submit(server, id, { q2: 'b' })).body.state).toBe('completed')
})

test('the page of a single-use link is the same before and after its answer', async () => {
  const id = await publishSurvey(server, token, { ...ANONYMOUS, dedupe: 'single_use' })
  const { tokens } = await call('POST', `/v1/surveys/${id}/links`, { count: 1 })
  const look = async () => (await server.request('GET', `/public/s/${id}?token=${tokens[0]}`)).status
  expect(await look()).toBe(200)
  await submit(server, id, { q1: 9 }, { token: tokens[0] })
  expect(await look()).toBe(200)
  expect((await submit(server, id, { q1: 9 }, { token: tokens[0] })).status).toBe(409)
})

test('a limit of answers cannot count one after the other', async () => {
  const few = await server.request('POST', '/v1/surveys', {
    token,
    body: { name: 'S', ...ANONYMOUS, response_limit: 4 },
  })
  expect(few).toMatchObject({ status: 422, body: { issues: [{ path: 'response_limit' }] } })
  const id = await publishSurvey(server, token, { ...ANONYMOUS, response_limit: 10 })
  for (const response_limit of [5, 11])
    expect(await call('PATCH', `/v1/surveys/${id}`, { response_limit })).toMatchObject({
      status: 422,
      issues: [{ path: 'response_limit' }],
    })
  expect(await call('PATCH', `/v1/surveys/${id}`, { name: 'T', response_limit: 10 })).toMatchObject({ name: 'T' })
  expect(await call('PATCH', `/v1/surveys/${id}`, { response_limit: null })).toMatchObject({ response_limit: null })
})

test('a dry run does not count the answers of anonymous surveys', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  await submit(server, id, { q1: 9, q3: 'Write to ada@example.org' })
  const requests = features.flatMap(({ sweeps = [] }) => sweeps).find(({ name }) => name === 'data-protection.requests')
  if (!requests) throw new Error('there is no such sweep')
  for (const kind of ['access', 'erasure']) {
    const made = await call('POST', '/v1/gdpr/requests', {
      kind,
      dry_run: true,
      subject: { email: 'ada@example.org' },
    })
    await runSweep(server, requests)
    const { counts } = await call('GET', `/v1/gdpr/requests/${made.id}`)
    expect(Object.values(counts as Record<string, number>).filter((count) => count > 0)).toEqual([])
  }
})

test('the certificate of an erasure does not count the answers of anonymous surveys', async () => {
  const id = await publishSurvey(server, token, ANONYMOUS)
  await submit(server, id, { q1: 9, q3: 'Write to eve@example.org' })
  const requests = features.flatMap(({ sweeps = [] }) => sweeps).find(({ name }) => name === 'data-protection.requests')
  if (!requests) throw new Error('there is no such sweep')
  const made = await call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email: 'eve@example.org' } })
  await runSweep(server, requests)
  const { status, progress } = await call('GET', `/v1/gdpr/requests/${made.id}`)
  expect({ status, progress }).toEqual({ status: 'completed', progress: { done: 0, total: 0 } })
  const { erased } = await call('GET', `/v1/gdpr/requests/${made.id}/certificate`)
  expect(Object.values(erased as Record<string, number>).filter((count) => count > 0)).toEqual([])
})
