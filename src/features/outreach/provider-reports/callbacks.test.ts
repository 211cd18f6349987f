import { request as httpRequest } from 'node:http'
import twilio from 'twilio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, parseId, type TenantId } from '../../../platform/ids.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import {
  addNumber,
  AUTH_TOKEN,
  BASE,
  messageIn,
  postForm,
  postSigned,
  startCallbackServer,
} from '../conversations/twilio-callbacks.fixture.ts'

const FORM = {
  MessageSid: 'SM1',
  From: '+15005550001',
  To: '+15005550006',
  Body: '9 — très bien 👍 + = & %',
  NumMedia: '0',
}
const SMS = '/public/twilio/sms'

describe('with a token', () => {
  let server: TestServer
  let workspace: TestWorkspace
  let number: string
  beforeAll(async () => {
    server = await startCallbackServer()
    workspace = await createWorkspace(server)
    number = (await addNumber(server, workspace, { default_survey_id: await makeLiveSurvey(server, workspace) })).number
  })
  afterAll(() => server.close())

  const traces = async () => {
    const counts =
      await server.peek(`select (select count(*)::int from conversations) as c, (select count(*)::int from conversation_turns) as t,
      (select count(*)::int from responses) as r, (select count(*)::int from suppressions) as s`)
    return counts[0]
  }

  test('an address with connection overrides in its fragment is signed and sent without them', async () => {
    const form = { ...FORM, To: number, MessageSid: 'SMfragment' }
    const signature = twilio.getExpectedTwilioSignature(AUTH_TOKEN, `${BASE}${SMS}`, form)
    const answer = await postForm(server, `${SMS}#rc=5&rp=5xx,ct,rt`, form, { 'x-twilio-signature': signature })
    expect(answer).toMatchObject({ status: 200 })
  })

  test('a callback that is not signed as it should be is 403, alike for every cause, and leaves no trace', async () => {
    const before = await traces()
    const sign = (url: string, form: Record<string, string> = FORM) =>
      twilio.getExpectedTwilioSignature(AUTH_TOKEN, url, form)
    const form = { ...FORM, To: number, Body: 'STOP' }
    const causes: Array<[string, string, Record<string, string>]> = [
      ['no signature', SMS, {}],
      ['an empty one', SMS, { 'x-twilio-signature': '' }],
      [
        'another token',
        SMS,
        { 'x-twilio-signature': twilio.getExpectedTwilioSignature('another', `${BASE}${SMS}`, form) },
      ],
      ['another path', SMS, { 'x-twilio-signature': sign(`${BASE}/public/twilio/voice/srv_1`, form) }],
      ['another query', `${SMS}?a=1`, { 'x-twilio-signature': sign(`${BASE}${SMS}`, form) }],
      ['a parameter more', SMS, { 'x-twilio-signature': sign(`${BASE}${SMS}`, { ...form, Zz: '1' }) }],
      ['an evil host', SMS, { host: 'evil.example', 'x-twilio-signature': sign(`https://evil.example${SMS}`, form) }],
      ['an unknown survey', '/public/twilio/voice/srv_01hzzzzzzzzzzzzzzzzzzzzzzz', {}],
      ['no survey', '/public/twilio/voice/x', { 'x-twilio-signature': 'x' }],
    ]
    const answers = await Promise.all(causes.map(([, path, headers]) => postForm(server, path, form, headers)))
    expect(answers.map(({ status }, at) => [causes[at]?.[0], status])).toEqual(causes.map(([cause]) => [cause, 403]))
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))).size).toBe(1)
    expect(answers[0]?.body).toMatchObject({ code: 'invalid_signature' })
    expect(await traces()).toEqual(before)
  })

  test('a signature is checked before the form is read', async () => {
    for (const body of ['%', 'a=%ff', '{"json":1}', '', '\u0000']) {
      const answer = await server.request('POST', SMS, {
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect(answer.status).toBe(403)
    }
  })

  test('an empty form that is signed is a problem, never an error', async () => {
    expect(await postSigned(server, SMS, {})).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect((await postSigned(server, SMS, { MessageSid: 'SM1' })).status).toBe(400)
    expect((await postSigned(server, '/public/twilio/voice/x', {})).status).toBe(404)
  })

  test('a message to a number of nobody is answered with nothing', async () => {
    expect(messageIn(await postSigned(server, SMS, { ...FORM, To: '+15005559999' }))).toBe('')
    expect(messageIn(await postSigned(server, SMS, { ...FORM, To: 'SHORTCODE', MessageSid: 'SM2' }))).toBe('')
    expect(messageIn(await postSigned(server, SMS, { ...FORM, To: number, From: '12345', MessageSid: 'SM3' }))).toBe('')
  })

  test('a body past 64 KiB is 413, however it is signed', async () => {
    expect((await postSigned(server, SMS, { ...FORM, Body: 'x'.repeat(70_000) })).status).toBe(413)
  })

  test('over a socket, path and query count byte for byte as they were sent', async () => {
    const base = await server.listen()
    const form = { ...FORM, To: number, MessageSid: 'SMraw', Body: "It's" }
    const path = `${SMS}?note=It's+amazing&x=%7e`
    const post = (signature: string) =>
      new Promise<number>((resolve, reject) => {
        const body = new URLSearchParams(form).toString()
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': Buffer.byteLength(body),
          'x-twilio-signature': signature,
        }
        const { hostname, port } = new URL(base)
        const request = httpRequest({ hostname, port, path, method: 'POST', headers }, (response) =>
          resolve(response.resume().statusCode ?? 0),
        )
        request.on('error', reject)
        request.end(body)
      })
    expect(await post(twilio.getExpectedTwilioSignature(AUTH_TOKEN, `${BASE}${path}`, form))).toBe(200)
    expect(await post(twilio.getExpectedTwilioSignature(AUTH_TOKEN, `${BASE}:443${path}`, form))).toBe(200)
    expect(await post(twilio.getExpectedTwilioSignature(AUTH_TOKEN, `${BASE}${SMS}?note=It's+amazing&x=~`, form))).toBe(
      403,
    )
  })

  test('a report about a message of ours stamps its send, and a carrier’s opt-out suppresses', async () => {
    const tenantId = parseId('workspace', workspace.workspaceId) as TenantId
    const ids = [newId('send'), newId('send')]
    for (const [at, id] of ids.entries()) {
      await server.peek(
        `insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status, address_hash, masked, attempts, created_at, accepted_at, provider_id)
         values ($1, $2, $2, $2, 'sms', 0, $2, 'accepted', $3, '+1*****01', 0, $4, $4, $5)`,
        [tenantId, id, `hash${at}`, server.clock.now(), `SMsent${at}`],
      )
      await server.peek(`insert into directory (kind, key, tenant_id) values ('provider_message', $1, $2)`, [
        `SMsent${at}`,
        tenantId,
      ])
    }
    const report = (sid: string, MessageStatus: string, rest: Record<string, string> = {}) =>
      postSigned(server, SMS, {
        MessageSid: sid,
        SmsStatus: MessageStatus,
        MessageStatus,
        From: number,
        To: '+15005550001',
        ...rest,
      })
    for (const status of ['queued', 'sent', 'delivered', 'delivered'])
      expect(messageIn(await report('SMsent0', status))).toBe('')
    await report('SMsent1', 'undelivered', { ErrorCode: '21610' })
    await report('SMunknown', 'delivered')
    const rows = await server.peek(
      'select status, delivered_at is not null as delivered from sends where id = any($1::uuid[]) order by id',
      [ids],
    )
    expect(rows).toEqual([
      { status: 'delivered', delivered: true },
      { status: 'bounced', delivered: false },
    ])
    const { body } = await server.request('GET', '/v1/suppression', { token: workspace.token })
    expect(body.data).toMatchObject([{ channel: 'sms', reason: 'stop_keyword' }])
  })
})

describe('without a token', () => {
  test('callbacks are taken outside production', async () => {
    const server = await startTestServer()
    expect(messageIn(await postForm(server, SMS, FORM))).toBe('')
    await server.close()
  })

  test('and refused in production', async () => {
    const server = await startTestServer({
      env: { ENVIRONMENT: 'production', DATABASE_URL: 'postgres://ignored', PUBLIC_BASE_URL: BASE },
    })
    expect((await postForm(server, SMS, FORM)).status).toBe(403)
    expect(
      (
        await postForm(server, SMS, FORM, {
          'x-twilio-signature': twilio.getExpectedTwilioSignature('', `${BASE}${SMS}`, FORM),
        })
      ).status,
    ).toBe(403)
    await server.close()
  })
})

test('without a public base URL the request’s own scheme and host are what is signed', async () => {
  const server = await startTestServer({ env: { TWILIO_AUTH_TOKEN: AUTH_TOKEN } })
  const headers = (url: string) => ({
    host: 'tunnel.example',
    'x-twilio-signature': twilio.getExpectedTwilioSignature(AUTH_TOKEN, url, FORM),
  })
  expect((await postForm(server, SMS, FORM, headers(`http://tunnel.example${SMS}`))).status).toBe(200)
  expect((await postForm(server, SMS, FORM, headers(`${BASE}${SMS}`))).status).toBe(403)
  await server.close()
})

test('with the database away a message is 503 with Retry-After, and the provider’s retry is taken', async () => {
  const server = await startCallbackServer()
  const workspace = await createWorkspace(server)
  const { number } = await addNumber(server, workspace, { default_survey_id: await makeLiveSurvey(server, workspace) })
  const form = { ...FORM, To: number }
  server.services.schema.current = false
  const away = await postSigned(server, SMS, form)
  expect(away.status).toBe(503)
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await postForm(server, SMS, form)).status, 'who is not signed learns nothing of it').toBe(403)
  server.services.schema.current = true
  expect(messageIn(await postSigned(server, SMS, form))).toContain('How likely')
  await server.close()
})
