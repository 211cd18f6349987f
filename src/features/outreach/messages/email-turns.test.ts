import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EmailMessage } from '../../../platform/ports/email-port.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../../testing/makers.ts'
import { recordEmail, whileProvider, type RecordingEmail } from '../../../testing/recording-email.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'
import { dispatchSweeps, recoverSendsSweep } from './messages.feature.ts'

let server: TestServer
let mail: RecordingEmail
let owner: TestWorkspace
let surveyId: string
/** Outlives sessions. */
let key: string
beforeAll(async () => {
  server = await startTestServer()
  mail = recordEmail(server)
})
beforeEach(async () => {
  await server.peek(`update sends set status = 'cancelled', next_attempt_at = null where next_attempt_at is not null`)
  mail.sent.length = 0
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
  key = (await createApiKey(server, owner.token, ['dispatch.send'])).key
})
afterAll(() => server.close())

const dispatch = () => runSweep(server, dispatchSweeps.email)
const list = async (path: string) => (await server.request('GET', path, { token: key })).body.data
const sends = () => list('/v1/sends?limit=100')

describe('a message that waits for its turn', () => {
  // The provider has sixteen at once.
  test.each([
    ['whose invitation is cancelled', 'cancelled', null],
    ['to a person who is suppressed', 'skipped', 'suppressed'],
    ['to a person who is erased', 'cancelled', null],
  ] as const)('%s is not sent', async (why, status, reason) => {
    const emails = Array.from({ length: 18 }, (_, at) => `waits${at}@example.com`)
    const recipients = emails.map((email) => ({ email }))
    const { id } = await inviteToSurvey(server, owner, surveyId, { recipients })
    const called: string[] = []
    const hold = Promise.withResolvers<void>()
    const take = async ({ to }: EmailMessage) => {
      called.push(to)
      await hold.promise
      return { providerId: `prov-${to}` }
    }
    await whileProvider(server, take, async () => {
      const sending = dispatch()
      await expect.poll(() => called.length).toBe(16)
      const { token } = owner
      for (const email of emails.filter((each) => !called.includes(each))) {
        if (status === 'skipped')
          await server.request('POST', '/v1/suppression', { token, body: { channel: 'email', address: email } })
        else if (why.endsWith('erased')) {
          await server.request('POST', '/v1/gdpr/requests', { token, body: { kind: 'erasure', subject: { email } } })
          await runRequests(server)
        } else await server.request('POST', `/v1/invitations/${id}/cancel`, { token })
      }
      server.clock.advance(1_000)
      hold.resolve()
      await sending
    })
    expect(called).toHaveLength(16)
    expect((await sends()).filter((send: { status: string }) => send.status !== 'accepted')).toMatchObject(
      Array(2).fill({ status, reason }),
    )
  })

  test('and reached the provider all the same leaves its id to nobody who was erased', async () => {
    const email = 'under.way@example.com'
    await inviteToSurvey(server, owner, surveyId, { recipients: [{ email }] })
    const take = async () => {
      const body = { kind: 'erasure', subject: { email } }
      await server.request('POST', '/v1/gdpr/requests', { token: owner.token, body })
      await runRequests(server)
      return { providerId: 'prov-under-way' }
    }
    await whileProvider(server, take, dispatch)
    expect(await sends()).toMatchObject([{ status: 'accepted' }])
    expect(await server.peek(`select 1 from sends where provider_id = 'prov-under-way'`)).toEqual([])
    expect(await server.peek(`select 1 from directory where key = 'prov-under-way'`)).toEqual([])
  })
})

test('several dispatchers send everything once', async () => {
  const recipients = Array.from({ length: 300 }, (_, index) => ({ email: `person${index}@example.com` }))
  await inviteToSurvey(server, owner, surveyId, { recipients })
  await Promise.all([dispatch(), dispatch(), dispatch()])
  expect(mail.sent).toHaveLength(300)
  expect(new Set(mail.sent.map(({ to }) => to)).size).toBe(300)
  const [{ count }] = (await server.peek(
    'select count(*)::int as count from survey_deliveries where survey_id in (select survey_id from sends where ' +
      'masked like $1)',
    ['p***%'],
  )) as [{ count: number }]
  expect(count).toBe(300)
})

test('a provider is called with no transaction open', async () => {
  await inviteToSurvey(server, owner, surveyId)
  let sawNone = false
  await whileProvider(
    server,
    async () => {
      // Other work may have one for a moment. One of the dispatcher would stay open until this call ends.
      await expect
        .poll(async () => {
          const [row] = await server.peek<{ count: number }>(
            `select count(*)::int as count from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
          )
          return row?.count
        })
        .toBe(0)
      sawNone = true
      return { providerId: 'one' }
    },
    dispatch,
  )
  expect(sawNone).toBe(true)
})

test('no mail is sent whose lease might end during the call', async () => {
  const recipients = Array.from({ length: 60 }, (_, n) => ({ email: `slow${n}@example.com` }))
  await inviteToSurvey(server, owner, surveyId, { recipients })
  const keys: string[] = []
  await whileProvider(
    server,
    async (message) => {
      keys.push(message.idempotencyKey)
      // Each call takes its time, as the clock of the test shows it.
      if (keys.length % 16 === 0) server.clock.advance(50_000)
      if (keys.length > 120) throw new Error('called without end')
      return { providerId: message.idempotencyKey }
    },
    async () => {
      for (let round = 0; round < 6; round++) {
        await dispatch()
        await runSweep(server, recoverSendsSweep)
      }
    },
  )
  expect(new Set(keys).size).toBe(60)
  expect(keys).toHaveLength(60)
})

test('however many workspaces have mail, the newest does not wait for the oldest to be done', async () => {
  await inviteToSurvey(server, owner, surveyId, {
    recipients: Array.from({ length: 5 }, (_, n) => ({ email: `many${n}@example.com` })),
  })
  const tenants: string[] = []
  for (let n = 0; n < 3; n++)
    tenants.push(
      ...(await server.peek<{ id: string }>(`select gen_random_uuid() as id from generate_series(1, 40)`)).map(
        ({ id }) => id,
      ),
    )
  // Old workspaces with a message each: more than a page of them.
  for (const id of tenants) {
    await server.peek(
      `insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status, address_hash, masked, next_attempt_at, attempts, created_at)
       values ($1::uuid, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'email', 0, gen_random_uuid(), 'queued', 'x', 'x', $2, 0, $2)`,
      [id, server.clock.now()],
    )
  }
  await dispatch().catch(() => {})
  expect(mail.sent).toHaveLength(5)
  await server.peek(`delete from sends where masked = 'x'`)
})
