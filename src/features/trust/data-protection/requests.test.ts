import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApiKey, createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { cloneDatabase, startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../../testing/makers.ts'
import { parseId } from '../../../platform/ids.ts'
import { monthAfter } from './plan.ts'
import { openHouse, runRequests, everythingStored, EMAIL, PHONE, TRACES, type House } from './person.fixture.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  // Ids follow the host's clock, and here the test's clock does too.
  server = await startTestServer({ now: new Date() })
})
afterAll(() => server.close())
beforeEach(async () => {
  workspace = await createWorkspace(server)
})

const call = (method: string, path: string, body?: unknown, token = workspace.token) =>
  server.request(method, path, { token, ...(body !== undefined && { body }) })
const start = async (body: object) => (await call('POST', '/v1/gdpr/requests', body)).body.id as string
const read = async (id: string) => (await call('GET', `/v1/gdpr/requests/${id}`)).body

describe('a request', () => {
  test('is due a month later, is listed, and reads like what was asked without the person', async () => {
    const asked = await call('POST', '/v1/gdpr/requests', {
      kind: 'erasure',
      subject: { email: EMAIL },
      reason: 'by letter',
    })
    expect(asked).toMatchObject({
      status: 202,
      body: {
        kind: 'erasure',
        status: 'searching',
        dry_run: false,
        counts: {},
        progress: { done: 0, total: 0 },
        completed_at: null,
      },
    })
    const { created_at, due_at } = asked.body
    expect(due_at).toBe(monthAfter(new Date(created_at)).toISOString())
    expect(monthAfter(new Date('2028-01-31T10:00:00Z'))).toEqual(new Date('2028-02-29T10:00:00Z'))
    expect((await call('GET', '/v1/gdpr/requests')).body.data).toEqual([asked.body])
    expect(asked.text).not.toContain('planted')
  })

  test.each([
    [{ email: 'nobody' }, 422, 'invalid_address'],
    [{ phone: '0151 1' }, 422, 'invalid_address'],
    [{ response_ids: ['rsp_1'] }, 422, 'unknown_response'],
    [{ external_id: 'crm-1' }, 422, 'unknown_person'],
    [{}, 400, 'invalid_request'],
    [{ name: 'Ada' }, 400, 'invalid_request'],
  ])('about %j is refused', async (subject, status, code) => {
    expect(await call('POST', '/v1/gdpr/requests', { kind: 'access', subject })).toMatchObject({
      status,
      body: { code },
    })
  })

  test('needs compliance.manage for reading too', async () => {
    const id = await start({ kind: 'access', subject: { email: EMAIL } })
    const { key } = await createApiKey(server, workspace.token, ['responses.manage', 'audit.read'])
    for (const path of ['', `/${id}`, `/${id}/archive`, `/${id}/certificate`])
      expect(await call('GET', `/v1/gdpr/requests${path}`, undefined, key)).toMatchObject({
        status: 403,
        body: { permission: 'compliance.manage' },
      })
  })

  test('is cancelled before anything is erased, and not afterwards', async () => {
    const first = await start({ kind: 'erasure', subject: { email: EMAIL } })
    expect(await call('POST', `/v1/gdpr/requests/${first}/cancel`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    })
    await runRequests(server)
    expect(await read(first)).toMatchObject({ status: 'cancelled', counts: {} })
    expect(await call('GET', `/v1/gdpr/requests/${first}/certificate`)).toMatchObject({
      status: 409,
      body: { code: 'no_certificate' },
    })
    const second = await start({ kind: 'erasure', subject: { email: EMAIL } })
    await runRequests(server)
    expect(await call('POST', `/v1/gdpr/requests/${second}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    })
  })

  test('that was a dry run cannot be cancelled once it has ended, and says that it makes no archive', async () => {
    const id = await start({ kind: 'access', subject: { email: EMAIL }, dry_run: true })
    await runRequests(server)
    expect(await call('POST', `/v1/gdpr/requests/${id}/cancel`)).toMatchObject({ status: 409 })
    expect(await read(id)).toMatchObject({ status: 'ready' })
    expect((await call('GET', `/v1/gdpr/requests/${id}/archive`)).text).toContain('A dry run makes no archive')
  })

  test('of one workspace reaches no other', async () => {
    const other = await createWorkspace(server)
    const id = (await submit(server, await makeLiveSurvey(server, other), { answers: { q1: 9, q3: `I am ${EMAIL}` } }))
      .id
    const known = (await submit(server, await makeLiveSurvey(server, workspace), { answers: { q1: 9 } })).id
    const subject = { email: EMAIL, response_ids: [known, id] }
    expect(await call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject })).toMatchObject({
      status: 422,
      body: { code: 'unknown_response', issues: [{ path: 'subject.response_ids.1' }] },
    })
    const erasure = await start({ kind: 'erasure', subject: { email: EMAIL } })
    await runRequests(server)
    expect((await read(erasure)).counts.responses).toBe(0)
    expect((await call('GET', `/v1/responses/${id}`, undefined, other.token)).body.text).toHaveLength(1)
  })
})

describe('the search', () => {
  const found = async (subject: object) => {
    const id = await start({ kind: 'access', subject, dry_run: true })
    await runRequests(server)
    return (await read(id)).counts
  }

  test('leads from a response by its invitation to the address, and from there to all else', async () => {
    const surveyId = await makeLiveSurvey(server, workspace)
    await call('POST', `/v1/surveys/${surveyId}/invite`, { channel: 'email', recipients: [{ email: EMAIL }] })
    const invited = (await submit(server, surveyId, { answers: { q1: 9 } })).id
    const typed = (await submit(server, surveyId, { answers: { q1: 9, q3: `It is ${EMAIL.toUpperCase()}` } })).id
    await server.peek('update sends set response_id = $1', [parseId('response', invited)])
    expect(await found({ response_ids: [invited] })).toMatchObject({ sends: 1, responses: 2 })
    // Somebody else may have typed it, so it leads no further.
    expect(await found({ response_ids: [typed] })).toMatchObject({ sends: 0, responses: 1 })
  })

  test('reads texts that were changed since, and finds what a note or a field says now', async () => {
    const surveyId = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, custom_fields: ['plan'] })
    const { id } = await submit(server, surveyId, { answers: { q1: 9 }, custom_data: { plan: EMAIL } })
    expect(await found({ email: EMAIL })).toMatchObject({ responses: 1, notes: 0 })
    await call('PATCH', `/v1/responses/${id}`, { custom_data: { plan: 'pro' } })
    expect(await found({ email: EMAIL })).toMatchObject({ responses: 0 })
    await call('POST', `/v1/responses/${id}/notes`, { text: `rang ${PHONE}` })
    expect(await found({ phone: PHONE })).toMatchObject({ responses: 0, notes: 1 })
    await call('DELETE', `/v1/responses/${id}`)
    expect(await server.peek('select 1 from typed_contacts where row_id = $1', [parseId('response', id)])).toEqual([])
  })

  test('finds an address among more than a text is indexed by', async () => {
    const surveyId = await makeLiveSurvey(server, workspace)
    const crowd = Array.from({ length: 150 }, (_, n) => `p${n}@example.com`).join(' ')
    await submit(server, surveyId, { answers: { q1: 9, q3: `${crowd} ${EMAIL}` } })
    expect(await found({ email: EMAIL })).toMatchObject({ responses: 1 })
    expect(await found({ email: 'p151@example.com' })).toMatchObject({ responses: 0 })
  })

  test('finds what was typed under an earlier SECRETS_KEY', async () => {
    const { url, drop } = await cloneDatabase()
    const open = (keys: string) => startTestServer({ now: new Date(), databaseUrl: url, env: { SECRETS_KEY: keys } })
    const [old, young] = ['the-old-key-of-a-test-that-is-long-enough', 'the-new-key-of-a-test-that-is-long-enough']
    const before = await open(old)
    const owner = await createWorkspace(before)
    await submit(before, await makeLiveSurvey(before, owner), { answers: { q1: 9, q3: `I am ${EMAIL}` } })
    await before.close()
    const after = await open(`${young},${old}`)
    const body = { kind: 'access', subject: { email: EMAIL }, dry_run: true }
    const { id } = (await after.request('POST', '/v1/gdpr/requests', { token: owner.token, body })).body
    await runRequests(after)
    const { counts } = (await after.request('GET', `/v1/gdpr/requests/${id}`, { token: owner.token })).body
    expect(counts).toMatchObject({ responses: 1 })
    await after.close()
    await drop()
  })

  test('a response without an address costs no statement for the index', async () => {
    const surveyId = await makeLiveSurvey(server, workspace)
    const statements = async (text: string) => {
      server.statements.length = 0
      await submit(server, surveyId, { answers: { q1: 9, q3: text } })
      return server.statements.filter((each) => /typed_contacts|address_keys/.test(each.text)).length
    }
    expect(await statements('Quick and friendly, 10 out of 10.')).toBe(0)
    expect(await statements(`I am ${EMAIL}`)).toBeGreaterThan(0)
  })
})

describe('an erasure', () => {
  let house: House
  beforeAll(async () => {
    house = await openHouse({ now: new Date() })
  }, 120_000)
  afterAll(() => house.close())

  test('that meets a delivery on its way keeps nothing of what its receiver echoes later', async () => {
    const email = 'planted.underway@example.com'
    const { receiver, engine } = house
    const answers: Array<() => void> = []
    receiver.answer(({ body }, response) => void answers.push(() => response.writeHead(200).end(body)))
    await submit(house.server, house.surveyId, { answers: { q1: 9, q3: `I am ${email}` } })
    await expect.poll(() => answers.length).toBe(1)
    const { id } = (await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).body
    await runRequests(house.server)
    expect((await house.call('GET', `/v1/gdpr/requests/${id}/certificate`)).body.external).toMatchObject([
      { kind: 'webhook', target: expect.stringContaining(new URL(receiver.url).origin) },
    ])
    const sent = receiver.requests.length
    for (const answer of answers) answer()
    await engine.idle()
    await engine.sweep()
    await engine.idle()
    expect(receiver.requests, 'no second body').toHaveLength(sent)
    const [last] = (await house.call('GET', '/v1/webhook-deliveries?limit=1')).body.data
    expect(last).toMatchObject({ status: 'delivered', attempts: 1 })
    const { attempt_log: log } = (await house.call('GET', `/v1/webhook-deliveries/${last.id}`)).body
    expect(log).toMatchObject([{ status_code: 200, superseded: true, response_excerpt: null }])
    expect((await everythingStored(house.server)).filter((row) => row.includes('planted.underway'))).toEqual([])
  })

  test('counts failures since the last step that brought it on', async () => {
    const email = 'planted.often@example.com'
    await submit(house.server, house.surveyId, { answers: { q1: 9, q3: `I am ${email}` } })
    const { id } = (await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email } })).body
    const uuid = parseId('privacyRequest', id)
    await house.server.peek('update privacy_requests set failures = 11 where id = $1', [uuid])
    await house.server.peek(`alter table events add constraint broken check (data not like '%"text": []%') not valid`)
    await runRequests(house.server)
    await house.server.peek('alter table events drop constraint broken')
    expect(await house.server.peek('select status, failures from privacy_requests where id = $1', [uuid])).toEqual([
      { status: 'running', failures: 1 },
    ])
    house.server.clock.advance(61_000)
    await runRequests(house.server)
    expect((await house.call('GET', `/v1/gdpr/requests/${id}`)).body.status).toBe('completed')
  })

  test('that fails again and again gives up, keeps nothing of the person, and logs nothing of them', async () => {
    const id = (
      await house.call('POST', '/v1/gdpr/requests', { kind: 'erasure', subject: { email: EMAIL }, reason: EMAIL })
    ).body.id
    await house.server.peek(`update privacy_requests set sealed = 'v1.x.x.x' where status = 'searching'`)
    for (let n = 0; n < 12; n++) {
      await runRequests(house.server)
      house.server.clock.advance(16 * 60_000)
    }
    expect((await house.call('GET', `/v1/gdpr/requests/${id}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 'gave_up', detail: expect.stringContaining('make the request again') },
    })
    expect((await house.call('GET', `/v1/gdpr/requests/${id}/certificate`)).body).toMatchObject({
      error: { code: 'gave_up' },
      external: [],
    })
    expect(house.lines.filter((line) => TRACES.some((trace) => trace.test(line)))).toEqual([])
    expect(house.lines.some((line) => line.includes('a data protection request failed'))).toBe(true)
  })
})
