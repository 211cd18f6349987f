import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApiKey, createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, NPS_SURVEY } from '../../../testing/makers.ts'
import { recordEmail } from '../../../testing/recording-email.ts'
import { dispatchSweeps } from '../messages/messages.feature.ts'

const DAY_MS = 86_400_000

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, token = owner.token) =>
  server.request(method, `/v1${path}`, { token, body })
const makePerson = async (body: object) => (await call('POST', '/people', body)).body.id as string
const asking = async (id: string, token = owner.token) =>
  (await call('GET', `/people/${id}/asking`, undefined, token)).body

test('a person may be asked where there is an address that is not suppressed', async () => {
  const id = await makePerson({ email: 'grace@example.com' })
  const expected = [
    { channel: 'email', may: 'now', from: null },
    { channel: 'sms', may: 'no_address', from: null },
    { channel: 'voice', may: 'no_address', from: null },
  ]
  expect(await asking(id)).toEqual({ data: expected })
  await call('POST', '/suppression', { channel: 'email', address: 'grace@example.com', reason: 'manual' })
  expect((await asking(id)).data[0]).toEqual({ channel: 'email', may: 'suppressed', from: null })
  const { token } = await createMember(server, owner.token, 'viewer')
  expect((await asking(id, token)).data[0].may).toBe('suppressed')
  const stranger = await createWorkspace(server)
  expect((await call('GET', `/people/${id}/asking`, undefined, stranger.token)).status).toBe(404)
})

test('what it says about the contact frequency is what an invitation then decides', async () => {
  // A session does not last until the days are over.
  const { key } = await createApiKey(server, owner.token, ['dispatch.send'])
  await call('PATCH', '/org', { contact_frequency: { max_contacts: 2, per_days: 3 } })
  const recipients = [{ email: 'grace@example.com', phone: '+4930901820' }]
  const id = await makePerson(recipients[0] ?? {})
  const surveys = [await makeLiveSurvey(server, owner), await makeLiveSurvey(server, owner)]
  const later = new Date(server.clock.now().getTime() + DAY_MS)
  expect(await inviteToSurvey(server, owner, surveys[0] ?? '', { recipients })).toMatchObject({ accepted: 1 })
  expect((await asking(id)).data[0].may).toBe('now')
  const scheduled = { recipients, send_at: later.toISOString() }
  expect(await inviteToSurvey(server, owner, surveys[1] ?? '', scheduled)).toMatchObject({ accepted: 1 })
  // The older of the two leaves the days of the rule first.
  const { data } = await asking(id)
  const from = new Date(server.clock.now().getTime() + 3 * DAY_MS).toISOString()
  expect(data.map(({ may }: { may: string }) => may)).toEqual(['later', 'now', 'now'])
  expect(data[0].from).toBe(from)
  const third = await makeLiveSurvey(server, owner)
  expect(await inviteToSurvey(server, owner, third, { recipients })).toMatchObject({
    skipped: [{ reason: 'contact_frequency' }],
  })
  server.clock.advance(3 * DAY_MS + 1)
  expect((await asking(id, key)).data[0].may).toBe('now')
  expect(await inviteToSurvey(server, { ...owner, token: key }, third, { recipients })).toMatchObject({ accepted: 1 })
})

test('a survey whose invitations are under way keeps its privacy, also if nobody has answered', async () => {
  const survey = await makeLiveSurvey(server, owner)
  const become = (privacy: string) => call('PATCH', `/surveys/${survey}`, { privacy })
  expect((await become('anonymous')).status).toBe(200)
  expect(await inviteToSurvey(server, owner, survey)).toMatchObject({ accepted: 1 })
  const message = 'Keep open, because people were already invited. To change it, duplicate the survey.'
  expect(await call('POST', `/surveys/${survey}/publish`)).toMatchObject({
    status: 422,
    body: { issues: [{ path: 'privacy', message }] },
  })
  expect((await become('open')).status).toBe(200)
  expect(await become('anonymous')).toMatchObject({ status: 422, body: { issues: [{ path: 'privacy', message }] } })
})

test('the moment of an invitation to an anonymous survey is shown by its day alone', async () => {
  await call('PATCH', '/org', { contact_frequency: { max_contacts: 1, per_days: 3 } })
  const id = await makePerson({ email: 'grace@example.com' })
  const survey = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, privacy: 'anonymous' })
  server.clock.advance(12_345)
  expect(await inviteToSurvey(server, owner, survey)).toMatchObject({ accepted: 1 })
  const [email] = (await asking(id)).data
  expect(email).toMatchObject({ may: 'later', from: expect.stringMatching(/T00:00:00\.000Z$/) })
  // A caller who tries one time after the other finds the end of a day, and no moment in it.
  const other = await makeLiveSurvey(server, owner)
  const tried = async (sendAt: number) => {
    const body = { channel: 'email', recipients: [{ email: 'grace@example.com' }], dry_run: true }
    return (await call('POST', `/surveys/${other}/invite`, { ...body, send_at: new Date(sendAt).toISOString() })).body
  }
  const free = Date.parse(email.from)
  expect(await tried(free - 1)).toMatchObject({ skipped: [{ reason: 'contact_frequency' }] })
  expect(await tried(free)).toMatchObject({ accepted: 1 })
  recordEmail(server)
  await runSweep(server, dispatchSweeps.email)
  const person = (await call('GET', `/people/${id}`)).body
  expect(person.last_invited_at).toMatch(/T00:00:00\.000Z$/)
})
