import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import ssrf from '../../../../adapters/outbound-http/vectors/ssrf.json' with { type: 'json' }
import { createApiKey, createWorkspace, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { OutboundError } from '../../../../platform/ports/ports.ts'
import { makeLiveSurvey } from '../../../../testing/makers.ts'
import { startReceiver, type Receiver } from '../../../../testing/receiver.ts'

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

  test('shows the query of its address to those who manage endpoints alone', async () => {
    const { id } = (await register({ url: `${receiver.url}?key=hidden` })).body
    expect((await call('GET', `/v1/webhooks/${id}`)).body.url).toBe(`${receiver.url}?key=hidden`)
    const { key } = await createApiKey(server, workspace.token, [])
    for (const path of ['/v1/webhooks', `/v1/webhooks/${id}`]) {
      const { text } = await server.request('GET', path, { token: key })
      expect(text).toContain(`${receiver.url}?${'*'.repeat(12)}`)
      expect(text).not.toContain('hidden')
    }
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
      SIGNUPS: 'open',
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
  test('posts an unsigned example and reports the target’s status', async () => {
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
  test('says why a public target was not reached', async () => {
    const refused = () =>
      Promise.reject(new OutboundError('network', 'the connection was refused', 'The address refused the connection.'))
    const fake = vi.spyOn(server.services.factories, 'outboundHttp').mockReturnValueOnce({
      check: async () => {},
      dialled: () => null,
      post: refused,
      page: refused,
      picture: refused,
    })
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
