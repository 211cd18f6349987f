import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Webhook } from 'svix'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../../testing/makers.ts'
import { recordEmail, type RecordingEmail } from '../../../testing/recording-email.ts'
import { dispatchSweeps } from '../messages/messages.feature.ts'

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

let server: TestServer
let mail: RecordingEmail
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer({ env: { EMAIL_WEBHOOK_SECRET: SECRET } })
  mail = recordEmail(server)
})
beforeEach(async () => {
  mail.sent.length = 0
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
})
afterAll(() => server.close())

interface Sent {
  emailId: string
  tag: string
}

let people = 0
async function sendOne(workspace = owner, survey = surveyId): Promise<Sent> {
  const email = `person${(people += 1)}@example.com`
  await inviteToSurvey(server, workspace, survey, { recipients: [{ email }] })
  await runSweep(server, dispatchSweeps.email)
  const message = mail.sent.at(-1)
  expect(message?.to).toBe(email)
  return { emailId: message?.idempotencyKey ?? '', tag: message?.tag ?? '' }
}

let messages = 0
interface Options {
  id?: string
  secret?: string
  headers?: Record<string, string>
  to?: TestServer
}

function post(
  body: object | string,
  { id = `msg_${(messages += 1)}`, secret = SECRET, headers, to = server }: Options = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const at = to.clock.now()
  const signed = {
    'svix-id': id,
    'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign(id, at, text),
  }
  return to.request('POST', '/public/email/events', { body: text, headers: headers ?? signed })
}

const event = (type: string, { emailId, tag }: Partial<Sent>, more: object = {}) => ({
  type: `email.${type}`,
  created_at: '2026-03-02T10:00:00.000Z',
  data: {
    email_id: emailId,
    to: ['someone@example.com'],
    ...(tag !== undefined && { tags: { voc_delivery: tag } }),
    ...more,
  },
})
const stateOf = async (workspace = owner) => {
  const [send] = (await server.request('GET', '/v1/sends', { token: workspace.token })).body.data
  const suppressed = (await server.request('GET', '/v1/suppression', { token: workspace.token })).body.data
  return { send, reasons: suppressed.map((row: { reason: string }) => row.reason) }
}

test.each([
  ['failed', 'provider_failed'],
  ['suppressed', 'provider_suppressed'],
])('%s makes the send failed, suppresses nobody, and undoes no delivery', async (type, reason) => {
  const sent = await sendOne()
  expect((await post(event(type, sent))).status).toBe(200)
  expect(await stateOf()).toMatchObject({ send: { status: 'failed', reason }, reasons: [] })
  await post(event('delivered', sent))
  expect((await stateOf()).send.status).toBe('delivered')
  await post(event(type, sent))
  expect((await stateOf()).send.status).toBe('delivered')
})

test('a report about the mail of somebody who was erased leaves the id of the provider nowhere', async () => {
  const sent = await sendOne()
  const [send] = await server.peek<{ id: string }>(`select id from sends order by id desc limit 1`)
  await server.peek(`update sends set provider_id = null, address_hash = '', recipient = null where id = $1`, [
    send?.id,
  ])
  await server.peek(`delete from directory where key = $1`, [sent.emailId])
  expect((await post(event('delivered', sent))).status).toBe(200)
  expect(await server.peek('select 1 from sends where provider_id = $1', [sent.emailId])).toEqual([])
  expect(await server.peek('select 1 from directory where key = $1', [sent.emailId])).toEqual([])
})

test('delivered stamps the time and nothing else', async () => {
  const sent = await sendOne()
  expect((await post(event('delivered', sent))).status).toBe(200)
  expect(await stateOf()).toMatchObject({
    send: { status: 'delivered', delivered_at: '2026-03-02T10:00:00.000Z', bounced_at: null },
    reasons: [],
  })
})

const KINDS = ['delivered', 'bounced', 'complained']
const ORDERS = KINDS.flatMap((a) =>
  KINDS.filter((b) => b !== a).map((b) => [a, b, KINDS.find((c) => c !== a && c !== b) as string]),
)

test.each(ORDERS)('%s, %s, %s: the same end in every order', async (...order) => {
  const sent = await sendOne()
  for (const kind of order) expect((await post(event(kind, sent))).status).toBe(200)
  const { send, reasons } = await stateOf()
  expect(send).toMatchObject({ status: 'complained' })
  for (const kind of KINDS) expect(send[`${kind}_at`]).toBe('2026-03-02T10:00:00.000Z')
  expect(reasons).toEqual(['complaint'])
})

test('ten replays of each at once have one effect', async () => {
  const sent = await sendOne()
  const answers = await Promise.all(
    KINDS.flatMap((kind) => Array.from({ length: 10 }, () => post(event(kind, sent), { id: `same_${kind}` }))),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await stateOf()).toMatchObject({ send: { status: 'complained' }, reasons: ['complaint'] })
  expect(await server.peek(`select 1 from provider_messages where message_id like 'same_%'`)).toHaveLength(3)
})

test('a message id has one effect, also after the suppression was lifted', async () => {
  const sent = await sendOne()
  await post(event('bounced', sent), { id: 'once' })
  const [row] = (await server.request('GET', '/v1/suppression', { token: owner.token })).body.data
  await server.request('DELETE', `/v1/suppression/${row.id}`, { token: owner.token, body: {} })
  await post(event('bounced', sent), { id: 'once' })
  expect((await stateOf()).reasons).toEqual([])
})

test('a bounced address is not asked again', async () => {
  const sent = await sendOne()
  await post(event('bounced', sent, { bounce: { message: 'no such user', type: 'Permanent', subType: 'General' } }))
  const again = await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: `person${people}@example.com` }],
  })
  expect(again.skipped).toEqual([{ index: 0, reason: 'suppressed' }])
})

describe('before the provider’s id is known', () => {
  test.each(KINDS)('%s is kept by its tag, and heals the acceptance', async (kind) => {
    const { tag } = await sendOne()
    // The state after a crash between the provider's acceptance and the checkpoint.
    await server.peek('delete from survey_deliveries')
    await server.peek(`delete from events where type = 'survey.sent'`)
    await server.peek(`delete from directory where kind = 'provider_message'`)
    await server.peek(
      `update sends set status = 'calling', provider_id = null, accepted_at = null, next_attempt_at = now(), lease_until = now() + interval '1 hour' where id = (select max(id::text)::uuid from sends)`,
    )
    const sent = { emailId: `resend_${kind}`, tag }
    expect((await post(event(kind, sent))).status).toBe(200)
    const { send } = await stateOf()
    expect(send).toMatchObject({ status: kind, [`${kind}_at`]: expect.any(String), accepted_at: expect.any(String) })
    expect(await server.peek('select 1 from survey_deliveries')).toHaveLength(1)
    expect(await server.peek(`select 1 from events where type = 'survey.sent'`)).toHaveLength(1)
    // From now on the id alone leads there.
    await post(event('complained', { emailId: sent.emailId }))
    expect((await stateOf()).send.status).toBe('complained')
    expect(await server.peek(`select 1 from events where type = 'survey.sent'`)).toHaveLength(1)
  })

  test('tags come as a list, too', async () => {
    const { emailId, tag } = await sendOne()
    await post({
      ...event('delivered', { emailId }),
      data: { email_id: emailId, tags: [{ name: 'voc_delivery', value: tag }] },
    })
    expect((await stateOf()).send.status).toBe('delivered')
  })
})

test('a tag that was made up, or that belongs to another message, changes nothing', async () => {
  const mine = await sendOne()
  const stranger = await createWorkspace(server)
  const theirs = await sendOne(stranger, await makeLiveSurvey(server, stranger))
  const flipped = `${mine.tag.slice(0, -1)}${mine.tag.endsWith('A') ? 'B' : 'A'}`
  for (const tag of [flipped, mine.tag.slice(0, 40), `${mine.tag}x`, 'snd_01jd8m3v6kf2p9q4w5x6y7z8a0', '']) {
    expect((await post(event('complained', { emailId: 'unknown', tag }))).status).toBe(200)
  }
  // A genuine tag beside another id: of somebody else's message, and of none that was ever sent.
  await post(event('delivered', { emailId: theirs.emailId, tag: mine.tag }))
  await post(event('complained', { emailId: 'unknown', tag: mine.tag }))
  expect(await stateOf()).toMatchObject({ send: { status: 'accepted' }, reasons: [] })
  expect(await stateOf(stranger)).toMatchObject({ send: { status: 'delivered' } })
})

describe('a callback that is not signed as it should be', () => {
  const body = JSON.stringify({ type: 'email.complained', data: { email_id: 'x' } })

  test('is refused alike whatever is wrong, before it is read, and leaves no trace', async () => {
    const at = String(Math.floor(server.clock.now().getTime() / 1000))
    const before = await server.peek('select count(*) from provider_messages')
    const answers = [
      await post(body, { headers: {} }),
      await post(body, { secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }),
      await post(body, { headers: { 'svix-id': 'a', 'svix-timestamp': at, 'svix-signature': 'v1,AAAA' } }),
      await post('{ no json', { headers: { 'svix-id': 'a', 'svix-timestamp': at, 'svix-signature': 'v1,AAAA' } }),
      await post(body, {
        headers: {
          'svix-id': 'a',
          'svix-timestamp': '1',
          'svix-signature': new Webhook(SECRET).sign('a', new Date(1000), body),
        },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    const texts = answers.map(({ body }) => JSON.stringify({ ...body, request_id: '' }))
    expect(new Set(texts).size).toBe(1)
    expect(await server.peek('select count(*) from provider_messages')).toEqual(before)
  })

  test('is taken under the older names of the headers', async () => {
    const at = server.clock.now()
    const headers = {
      'webhook-id': 'old',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign('old', at, body),
    }
    expect((await post(body, { headers })).status).toBe(200)
  })

  test.each([
    ['taken when nobody asked for signatures', {}, 200],
    ['refused when signatures are asked for', { REQUIRE_SIGNED_WEBHOOKS: 'on' }, 401],
  ])('without a secret is %s', async (_, env, status) => {
    const other = await startTestServer({ env })
    expect((await post(body, { to: other, headers: {} })).status).toBe(status)
    await other.close()
  })
})

test('a body that is no event is 400, an unknown type is let pass, and a large one is 413', async () => {
  expect((await post('{')).status).toBe(400)
  expect((await post({ type: 'email.delivered' })).status).toBe(400)
  expect((await post({ type: 'email.bounced', data: { email_id: 7 } })).status).toBe(400)
  expect((await post({ data: {} })).status).toBe(400)
  expect((await post({ type: 'email.opened', data: {} })).status).toBe(200)
  expect((await post(event('delivered', { emailId: 'unknown' }))).status).toBe(200)
  expect((await post(JSON.stringify({ type: 'email.opened', filler: 'x'.repeat(65 * 1024) }))).status).toBe(413)
})

test('an error never names whom an event is about', async () => {
  const answer = await post({
    type: 'email.bounced',
    data: { to: ['grace@example.com'], email_id: { of: 'grace@example.com' } },
  })
  expect(answer.status).toBe(400)
  expect(answer.text).not.toContain('grace')
})

test('with the database away the event is asked for again, and then it is kept', async () => {
  const sent = await sendOne()
  const before = server.services.factories.database
  const { DatabaseUnavailableError } = await import('../../../platform/database/database-adapter.ts')
  Object.assign(server.services.factories, {
    database: () => ({
      ping: () => Promise.reject(new DatabaseUnavailableError(null)),
      transaction: () => Promise.reject(new DatabaseUnavailableError(null)),
      release: async () => {},
    }),
  })
  const away = await post(event('delivered', sent), { id: 'retried' })
  Object.assign(server.services.factories, { database: before })
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '30'])
  expect((await post(event('delivered', sent), { id: 'retried' })).status).toBe(200)
  expect((await stateOf()).send.status).toBe('delivered')
})

// Serialization failure, deadlock, too many connections, a lock that was not to be had, a statement that took too long.
test.each(['40001', '40P01', '53300', '55P03', '57014'])(
  'an event that fails by SQLSTATE %s is asked for again; by another it is an error',
  async (code) => {
    const sent = await sendOne()
    const before = server.services.factories.database
    const failing = (sqlState: string) => {
      const reject = () => Promise.reject(Object.assign(new Error('refused'), { code: sqlState }))
      Object.assign(server.services.factories, {
        database: () => ({ ping: reject, transaction: reject, release: async () => {} }),
      })
    }
    failing(code)
    const passing = await post(event('delivered', sent))
    failing('42P01')
    const broken = await post(event('delivered', sent))
    Object.assign(server.services.factories, { database: before })
    expect([passing.status, passing.headers.get('retry-after')]).toEqual([503, '30'])
    expect(broken.status).toBe(500)
  },
)

test('an id that no database holds is 400, and a type that objects have by nature is let pass', async () => {
  for (const emailId of ['a\0b', 'x\ud800y']) expect((await post(event('delivered', { emailId }))).status).toBe(400)
  const { emailId } = await sendOne()
  for (const type of ['constructor', '__proto__', 'toString'])
    expect((await post({ type, data: { email_id: emailId } })).status).toBe(200)
  expect((await stateOf()).send.status).toBe('accepted')
})

test.each([
  ['before the send was made', '-200000-01-01T00:00:00Z'],
  ['just before', '2020-01-01T00:00:00Z'],
  ['in the future', '+200000-01-01T00:00:00Z'],
  ['never', 'soon'],
])('a time %s is brought between the making of the send and now', async (_, created_at) => {
  const sent = await sendOne()
  server.clock.advance(60_000)
  expect((await post({ ...event('delivered', sent), created_at })).status).toBe(200)
  const { send } = await stateOf()
  const now = server.clock.now().getTime()
  expect([now - 60_000, now]).toContain(Date.parse(send.delivered_at))
})

test('a message that the provider took before, without saying as what, is known by its tag, and from then on by its id', async () => {
  const { tag } = await sendOne()
  await server.peek(`update sends set provider_id = null where id = (select max(id::text)::uuid from sends)`)
  await post(event('delivered', { emailId: 'learnt', tag }))
  expect((await stateOf()).send.status).toBe('delivered')
  await post(event('bounced', { emailId: 'learnt' }))
  expect((await stateOf()).send.status).toBe('bounced')
})
