import { Registry } from 'prom-client'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { makeLiveSurvey, submit } from '../../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../../testing/receiver.ts'
import { sha256 } from './body.ts'
import { sign } from './signature.ts'
import { createDeliveryEngine } from './delivery-engine.ts'

let server: TestServer
let receiver: Receiver
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})
beforeEach(async () => {
  receiver.requests.length = 0
  receiver.answer((_request, response) => void response.writeHead(200).end('ok'))
  workspace = await createWorkspace(server)
})

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  server.request(method, path, { token: workspace.token, body, ...(headers && { headers }) })
const register = (over: object = {}) => call('POST', '/v1/webhooks', { url: receiver.url, ...over })

async function deliver(): Promise<void> {
  const { run, log, settings, clock } = server.services
  const engine = createDeliveryEngine({ run, log, settings, clock, metrics: new Registry() })
  await engine.sweep()
  await engine.idle()
  await engine.stop()
}

const SURVEY = {
  name: 'Everything that holds words',
  metric: 'nps',
  default_language: 'en',
  questions: [
    { id: 'q1', type: 'nps', title: 'How likely?', required: true },
    { id: 'q2', type: 'single', title: 'Why?', choices: [{ id: 'price', label: 'Price' }], allow_other: true },
    { id: 'q3', type: 'multi', title: 'What else?', choices: [{ id: 'speed', label: 'Speed' }], allow_other: true },
    { id: 'q4', type: 'open_text', title: 'Tell us more' },
    { id: 'q5', type: 'contact', title: 'May we call you?', fields: ['name', 'email'] },
  ],
  logic: [],
  custom_fields: ['plan'],
}
const WORDS = ['OTHER-SINGLE', 'OTHER-MULTI', 'OPEN-TEXT', 'Ada Contact', 'ada@contact.example']
const ANSWERS = {
  q1: 9,
  q2: { other: 'OTHER-SINGLE' },
  q3: ['speed', { other: 'OTHER-MULTI' }],
  q4: 'OPEN-TEXT',
  q5: { name: 'Ada Contact', email: 'ada@contact.example' },
}

describe('a completed response', () => {
  test('arrives signed, in the promised shape, with words in `text` only', async () => {
    const surveyId = await makeLiveSurvey(server, workspace, SURVEY)
    const { secret, id } = (await register()).body
    const response = await submit(server, surveyId, { answers: ANSWERS, custom_data: { plan: 'pro' }, channel: 'web' })
    await deliver()
    expect(receiver.requests).toHaveLength(1)
    const [request] = receiver.requests
    const headers = request?.headers as Record<string, string>
    const body = request?.body ?? ''
    expect(headers['x-voc-signature']).toBe(sign(secret, Number(headers['x-voc-timestamp']), body))
    // The library reads the wall clock, and the signature is of the test's.
    expect(() => new StandardWebhook(secret).sign(headers['webhook-id'] ?? '', server.clock.now(), body)).not.toThrow()
    expect(new StandardWebhook(secret).sign(headers['webhook-id'] ?? '', server.clock.now(), body)).toBe(
      headers['webhook-signature'],
    )
    const event = JSON.parse(body)
    expect(Object.keys(event)).toEqual(['id', 'type', 'createdAt', 'apiVersion', 'data'])
    expect(event.data).toEqual({
      responseId: response.id,
      surveyId,
      surveyVersion: 1,
      channel: 'web',
      language: 'en',
      startedAt: expect.stringMatching(/Z$/),
      completedAt: expect.stringMatching(/Z$/),
      score: { metric: 'nps', value: 9, band: 'promoter' },
      answers: [
        { questionId: 'q1', type: 'nps', value: 9 },
        { questionId: 'q2', type: 'single', value: 'other' },
        { questionId: 'q3', type: 'multi', value: ['speed', 'other'] },
      ],
      text: [
        { questionId: 'q2', value: 'OTHER-SINGLE' },
        { questionId: 'q3', value: 'OTHER-MULTI' },
        { questionId: 'q4', value: 'OPEN-TEXT' },
        { questionId: 'q5', value: { name: 'Ada Contact', email: 'ada@contact.example' } },
      ],
      customData: { plan: 'pro' },
      omitted: [],
    })
    const ledger = (await call('GET', '/v1/webhook-deliveries')).body
    expect(ledger.data).toMatchObject([
      {
        webhook_id: id,
        event: 'response.completed',
        event_id: event.id,
        survey_id: surveyId,
        status: 'delivered',
        attempts: 1,
        max_attempts: 5,
        last_status_code: 200,
      },
    ])
    expect(ledger.counts).toEqual({ pending: 0, delivered: 1, failed: 0, dead_lettered: 0 })
    const detail = (await call('GET', `/v1/webhook-deliveries/${ledger.data[0].id}`)).body
    expect(detail).toMatchObject({ payload: body, payload_changed: false })
    expect(detail.attempt_log).toMatchObject([
      {
        n: 1,
        status_code: 200,
        error: null,
        response_excerpt: 'ok',
        signature: headers['x-voc-signature'],
        body_sha256: sha256(body),
        omitted: [],
      },
    ])
    expect(headers['webhook-id']).toBe(ledger.data[0].id)
  })

  test.each([
    ['include_text', ['text'], 'text'],
    ['include_answers', ['answers', 'score'], 'answers'],
    ['include_custom_data', ['customData'], 'customData'],
  ])('without %s is signed without %j', async (toggle, members, name) => {
    const surveyId = await makeLiveSurvey(server, workspace, SURVEY)
    const { secret } = (await register({ [toggle]: false })).body
    await submit(server, surveyId, { answers: ANSWERS, custom_data: { plan: 'pro-plan' } })
    await deliver()
    const [request] = receiver.requests
    const { data } = JSON.parse(request?.body ?? '')
    for (const member of members) expect(data).not.toHaveProperty(member)
    expect(data.omitted).toEqual([name])
    expect(request?.headers['x-voc-signature']).toBe(
      sign(secret, Number(request?.headers['x-voc-timestamp']), request?.body ?? ''),
    )
    const outside = JSON.stringify({ ...data, text: undefined })
    for (const word of WORDS) expect(outside).not.toContain(word)
    if (name === 'text') for (const word of WORDS) expect(request?.body).not.toContain(word)
    if (name === 'customData') expect(request?.body).not.toContain('pro-plan')
  })

  test('of a survey out of scope, or an event that is not subscribed, leaves no row', async () => {
    const [mine, other] = [await makeLiveSurvey(server, workspace), await makeLiveSurvey(server, workspace)]
    await register({ survey_ids: [other] })
    await register({ events: ['survey.sent'] })
    await submit(server, mine, { answers: { q1: 9 } })
    expect((await call('GET', '/v1/webhook-deliveries')).body.data).toEqual([])
    await submit(server, other, { answers: { q1: 9 } })
    expect((await call('GET', '/v1/webhook-deliveries')).body.data).toHaveLength(1)
  })

  test('that is deleted before its delivery is sent without what the respondent said', async () => {
    const surveyId = await makeLiveSurvey(server, workspace, SURVEY)
    await register()
    const kept = await submit(server, surveyId, { answers: { q1: 3, q4: 'kept words' } })
    const response = await submit(server, surveyId, { answers: ANSWERS, custom_data: { plan: 'pro-plan' } })
    expect((await call('DELETE', `/v1/responses/${response.id}`)).status).toBe(204)
    await deliver()
    const bodies = receiver.requests.map((request) => JSON.parse(request.body))
    expect(bodies.find((body) => body.data.responseId === response.id)?.data).toMatchObject({
      score: null,
      answers: [],
      text: [],
      customData: {},
    })
    expect(bodies.find((body) => body.data.responseId === kept.id)?.data).toMatchObject({
      text: [{ questionId: 'q4', value: 'kept words' }],
    })
  })

  test('that is only partial, or whose submission is refused, leaves no row', async () => {
    const surveyId = await makeLiveSurvey(server, workspace)
    await register()
    const partial = await submit(server, surveyId, { answers: { q1: 9 }, completed: false })
    expect(
      (await server.request('POST', `/public/surveys/${surveyId}/responses`, { body: { answers: { q1: 11 } } })).status,
    ).toBe(422)
    expect((await call('GET', '/v1/webhook-deliveries')).body.data).toEqual([])
    for (let i = 0; i < 2; i++) {
      expect(
        (
          await server.request('PATCH', `/public/responses/${partial.token}`, {
            body: { answers: {}, completed: true },
          })
        ).status,
      ).toBe(200)
    }
    expect((await call('GET', '/v1/webhook-deliveries')).body.data).toHaveLength(1)
  })
})

test('the catalogue names every event with a schema that its example fits, and the real body fits it too', async () => {
  const { z } = await import('zod')
  const { data } = (await call('GET', '/v1/webhook-events')).body
  expect(data.map((entry: { name: string }) => entry.name).sort()).toEqual([
    'alert.opened',
    'alert.resolved',
    'export.completed',
    'export.failed',
    'lead.created',
    'response.completed',
    'response.quarantined',
    'response.released',
    'response.updated',
    'survey.sent',
    'webhook.disabled',
  ])
  for (const entry of data)
    expect(z.fromJSONSchema(entry.schema).safeParse(entry.example), entry.name).toMatchObject({ success: true })
  await register()
  await submit(server, await makeLiveSurvey(server, workspace), { answers: { q1: 9 } })
  await deliver()
  const completed = data.find((entry: { name: string }) => entry.name === 'response.completed')
  expect(z.fromJSONSchema(completed.schema).safeParse(JSON.parse(receiver.requests[0]?.body ?? ''))).toMatchObject({
    success: true,
  })
})
