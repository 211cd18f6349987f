import { Registry } from 'prom-client'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import ssrf from '../../../../adapters/outbound-http/vectors/ssrf.json' with { type: 'json' }
import { createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { OutboundError } from '../../../../platform/ports.ts'
import { makeLiveSurvey, submit } from '../../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../../testing/receiver.ts'
import { sha256 } from '../engine/body.ts'
import { sign } from '../engine/signature.ts'
import { createDeliveryEngine } from '../engine/delivery-engine.ts'

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

describe('a registration', () => {
  test('shows its secret once, and masks it from then on', async () => {
    const created = await register()
    expect(created.status, created.text).toBe(201)
    const { id, secret } = created.body
    expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/)
    const masked = `${secret.slice(0, 10)}${'*'.repeat(12)}`
    expect((await call('GET', `/v1/webhooks/${id}`)).body.secret).toBe(masked)
    expect((await call('GET', '/v1/webhooks')).body.data[0].secret).toBe(masked)
    expect((await call('PATCH', `/v1/webhooks/${id}`, { description: 'x' })).body.secret).toBe(masked)
    const rotated = await call('POST', `/v1/webhooks/${id}/rotate-secret`)
    expect(rotated.body.secret).toMatch(/^whsec_[0-9a-f]{64}$/)
    expect(rotated.body.secret).not.toBe(secret)
    const [row] = await server.peek<{ secret: string }>(
      'select secret from webhooks where tenant_id = (select tenant_id from webhooks order by created_at desc limit 1)',
    )
    expect(row?.secret).not.toContain(rotated.body.secret.slice(10))
  })

  test('has the defaults of the specification: every event, every survey, every section', async () => {
    expect((await register()).body).toMatchObject({
      events: [],
      survey_ids: [],
      include_text: true,
      include_custom_data: true,
      include_answers: true,
      enabled: true,
      disabled_reason: null,
      last_delivered_at: null,
      last_failed_at: null,
    })
  })

  test('repeated under one Idempotency-Key is one registration, and the replay masks the secret', async () => {
    const headers = { 'idempotency-key': 'register-1' }
    const first = await call('POST', '/v1/webhooks', { url: receiver.url }, headers)
    const second = await call('POST', '/v1/webhooks', { url: receiver.url }, headers)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect([second.status, second.body.id]).toEqual([201, first.body.id])
    expect(second.body.secret).toMatch(/^whsec_[0-9a-f]{4}\*{12}$/)
    expect((await call('GET', '/v1/webhooks')).body.data).toHaveLength(1)
    expect(await call('POST', '/v1/webhooks', { url: `${receiver.url}/other` }, headers)).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    })
    expect(await server.peek('select 1 from idempotency_keys where body like $1', [`%${first.body.secret}%`])).toEqual(
      [],
    )
  })

  test('with an unknown event or a foreign survey is refused, and leaves nothing behind', async () => {
    const stranger = await createWorkspace(server)
    const foreign = await makeLiveSurvey(server, stranger)
    expect(await register({ events: ['response.completed', 'no.such'] })).toMatchObject({
      status: 422,
      body: { code: 'unknown_event', issues: [{ path: 'events.1' }] },
    })
    const answers = []
    for (const id of [foreign, 'srv_01jd8m2t4he6r7s8t9v0w1x2y3', 'nonsense']) {
      const answer = await register({ survey_ids: [id] })
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'unknown_survey', issues: [{ path: 'survey_ids.0' }] },
      })
      answers.push(JSON.stringify({ ...answer.body, request_id: '' }))
    }
    expect(new Set(answers).size).toBe(1)
    expect((await call('GET', '/v1/webhooks')).body.data).toEqual([])
  })

  test('to a blocked or malformed address is refused at registration and at change, and says so', async () => {
    const strict = await startTestServer({ env: { WEBHOOK_ALLOW_CIDRS: '192.0.2.0/24' } })
    const owner = await createWorkspace(strict)
    for (const url of [...ssrf.block.filter((blocked) => !blocked.includes('192.0.2.')), ...ssrf.invalid]) {
      const answer = await strict.request('POST', '/v1/webhooks', { token: owner.token, body: { url } })
      expect([url, answer.status]).toEqual([url, 422])
      expect(['blocked_url', 'invalid_url']).toContain(answer.body.code)
    }
    const created = await strict.request('POST', '/v1/webhooks', {
      token: owner.token,
      body: { url: 'https://8.8.8.8/' },
    })
    expect(
      await strict.request('PATCH', `/v1/webhooks/${created.body.id}`, {
        token: owner.token,
        body: { url: 'http://10.0.0.1/' },
      }),
    ).toMatchObject({
      status: 422,
    })
    for (const url of ssrf.allow)
      expect((await strict.request('POST', '/v1/webhooks', { token: owner.token, body: { url } })).status, url).toBe(
        201,
      )
    expect((await strict.request('GET', '/v1/webhooks?limit=100', { token: owner.token })).body.data).toHaveLength(
      ssrf.allow.length + 1,
    )
    await strict.close()
  })

  test('in production takes https only', async () => {
    const env = {
      ENVIRONMENT: 'production',
      DATABASE_URL: 'postgres://unused',
      PUBLIC_BASE_URL: 'https://feedback.example.com',
    }
    const production = await startTestServer({ env })
    const owner = await createWorkspace(production)
    expect(
      await production.request('POST', '/v1/webhooks', { token: owner.token, body: { url: 'http://8.8.8.8/' } }),
    ).toMatchObject({
      status: 422,
      body: { code: 'invalid_url' },
    })
    expect(
      await production.request('POST', '/v1/webhooks', { token: owner.token, body: { url: 'https://8.8.8.8/' } }),
    ).toMatchObject({ status: 201 })
    await production.close()
  })
})

describe('the test call', () => {
  test('posts an unsigned example and tells the target’s status', async () => {
    receiver.answer((_request, response) => void response.writeHead(418).end())
    expect(await call('POST', '/v1/webhooks/test', { url: receiver.url })).toMatchObject({
      status: 200,
      body: { status: 418, ok: false },
    })
    const [request] = receiver.requests
    expect(Object.keys(request?.headers ?? {}).filter((name) => /^x-voc|^webhook-/.test(name))).toEqual([])
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ type: 'response.completed', apiVersion: 'v1' })
  })
  test('answers alike for a blocked, a closed and a hanging-up target', async () => {
    receiver.answer((_request, response) => void response.socket?.destroy())
    const answers = []
    for (const url of ['http://10.0.0.1/', 'http://127.0.0.1:1/', receiver.url])
      answers.push((await call('POST', '/v1/webhooks/test', { url })).body)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: null, ok: false, latency_ms: null })
  })
  test('tells why a public target was not reached', async () => {
    const refused = () =>
      Promise.reject(new OutboundError('network', 'the connection was refused', 'The address refused the connection.'))
    const fake = vi
      .spyOn(server.services.factories, 'outboundHttp')
      .mockReturnValueOnce({ check: async () => {}, post: refused })
    const answer = await call('POST', '/v1/webhooks/test', { url: 'http://93.184.215.14/' })
    fake.mockRestore()
    expect(answer.body).toEqual({
      status: null,
      ok: false,
      latency_ms: null,
      error: 'The address refused the connection.',
    })
  })
  test('is refused the eleventh time in a minute', async () => {
    for (let i = 0; i < 10; i++)
      expect((await call('POST', '/v1/webhooks/test', { url: receiver.url })).status).toBe(200)
    const refused = await call('POST', '/v1/webhooks/test', { url: receiver.url })
    expect(refused).toMatchObject({ status: 429, body: { retry_after: expect.any(Number) } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a completed response', () => {
  test('arrives signed, in the shape of the contract, with words in `text` only', async () => {
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
    'lead.created',
    'response.completed',
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
