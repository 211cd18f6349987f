import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import type { TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../../testing/makers.ts'
import { recordEmail } from '../../../testing/recording-email.ts'
import { startFakeTwilio, type FakeTwilio } from '../../../testing/providers/fake-twilio.ts'
import { addNumber, startCallbackServer } from '../conversations/twilio-callbacks.fixture.ts'
import { dispatchSweeps } from '../messages/messages.feature.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'

const HOUR_MS = 3_600_000

let server: TestServer
let twilio: FakeTwilio
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  twilio = await startFakeTwilio()
  server = await startCallbackServer({ env: { TWILIO_BASE_URL: twilio.url, SMS_RATE_PER_SECOND: '1000' } })
  twilio.now = () => server.clock.now()
})
beforeEach(async () => {
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
})
afterAll(async () => {
  await server.close()
  await twilio.close()
})

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: owner.token, body })
const people = async () => (await call('GET', '/people')).body.data
const sends = async () =>
  (await call('GET', '/sends?limit=100')).body.data.map(
    ({ channel, reminder, status, reason }: Record<string, unknown>) => [channel, reminder, status, reason].join(' '),
  )

/** Answers by the link in the last mail. */
async function answer(mail: ReturnType<typeof recordEmail>, score: number): Promise<string> {
  const token = /[?&]t(?:oken)?=([\w.~-]+)/.exec(mail.sent.at(-1)?.text ?? '')?.[1]
  const done = await server.request('POST', `/public/surveys/${surveyId}/responses`, {
    body: { answers: { q1: score }, token },
  })
  expect(done.status, done.text).toBe(201)
  return done.body.id
}

test('recipients become people, and their responses lead to them', async () => {
  const mail = recordEmail(server)
  await call('POST', '/people', { external_id: 'crm-1', email: 'grace@example.com', name: 'Grace Hopper' })
  const invited = await inviteToSurvey(server, owner, surveyId, {
    recipients: [
      { email: 'ada@example.com', name: 'Ada', language: 'de' },
      { email: 'grace@example.com', name: 'G.' },
    ],
  })
  expect(invited.accepted).toBe(2)
  expect(await people()).toMatchObject([
    { email: 'ada@example.com', name: 'Ada', language: 'de', last_invited_at: null },
    { external_id: 'crm-1', name: 'Grace Hopper', last_invited_at: null },
  ])
  await runSweep(server, dispatchSweeps.email)
  const sentAt = server.clock.now().toISOString()
  expect(await people()).toMatchObject([{ last_invited_at: sentAt }, { last_invited_at: sentAt }])
  const to = mail.sent.at(-1)?.to
  server.clock.advance(HOUR_MS)
  const response = await answer(mail, 9)
  const person = (await people()).find(({ email }: { email: string }) => email === to)
  expect(person).toMatchObject({ last_responded_at: server.clock.now().toISOString(), last_score: 9 })
  expect((await call('GET', `/responses/${response}`)).body).toMatchObject({ person_id: person.id })
  const first = await call('GET', `/people/${person.id}/timeline?limit=2`)
  const second = await call('GET', `/people/${person.id}/timeline?limit=2&cursor=${first.body.next_cursor}`)
  const kinds = [...first.body.data, ...second.body.data].map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(['started', 'responded', 'sent', 'invited'])
  expect(first.body.data[1]).toMatchObject({ response_id: response, survey_id: surveyId, score: 9 })
  const filter = (days: number) =>
    JSON.stringify({ all: [{ field: 'responded', op: 'within_days', value: { days, survey_id: surveyId } }] })
  expect((await call('GET', `/people?filter=${encodeURIComponent(filter(0.1))}`)).body.data).toHaveLength(1)
  server.clock.advance(3 * HOUR_MS)
  expect((await call('GET', `/people?filter=${encodeURIComponent(filter(0.1))}`)).body.data).toHaveLength(0)
  expect((await call('DELETE', `/people/${person.id}`)).status).toBe(204)
  expect((await call('GET', `/responses/${response}`)).body).toMatchObject({ person_id: null, score: { value: 9 } })
})

test('a person is invited once a provider has the message, and never by a message that was stopped', async () => {
  recordEmail(server)
  const sendAt = new Date(server.clock.now().getTime() + 2 * HOUR_MS).toISOString()
  const plan = { recipients: [{ email: 'ada@example.com' }], send_at: sendAt }
  const chosen = async () => {
    const filter = JSON.stringify({ all: [{ field: 'invited', op: 'within_days', value: { days: 30 } }] })
    return (await call('GET', `/people?filter=${encodeURIComponent(filter)}`)).body.data.length
  }
  const story = async (id: string) =>
    (await call('GET', `/people/${id}/timeline`)).body.data.map(
      ({ kind, at }: { kind: string; at: string }) => `${kind} ${at}`,
    )
  const stopped = await inviteToSurvey(server, owner, surveyId, plan)
  const [{ id }] = await people()
  expect(await story(id)).toEqual([`planned ${sendAt}`])
  const stoppedAt = server.clock.now().toISOString()
  await call('POST', `/invitations/${stopped.id}/cancel`)
  expect(await people()).toMatchObject([{ id, last_invited_at: null }])
  expect([await story(id), await chosen()]).toEqual([[`skipped ${stoppedAt}`], 0])
  await inviteToSurvey(server, owner, await makeLiveSurvey(server, owner), plan)
  server.clock.advance(2 * HOUR_MS)
  await runSweep(server, dispatchSweeps.email)
  expect(await people()).toMatchObject([{ id, last_invited_at: sendAt }])
  expect(await story(id)).toEqual([`sent ${sendAt}`, `invited ${sendAt}`, `skipped ${stoppedAt}`])
  expect(await chosen()).toBe(1)
})

test('an alert of a response stands in the timeline of its person, and of nobody else', async () => {
  const filter = { all: [{ field: 'score', op: 'lte', value: 6 }] }
  const rule = await call('POST', '/alert-rules', { name: 'Unhappy', trigger: { on: 'response', filter } })
  expect(rule.status, rule.text).toBe(201)
  const mail = recordEmail(server)
  await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'ada@example.com' }, { email: 'bo@example.com' }],
  })
  await runSweep(server, dispatchSweeps.email)
  const response = await answer(mail, 3)
  server.clock.advance(HOUR_MS)
  const lists = await Promise.all(
    (await people()).map(async ({ id }: { id: string }) => (await call('GET', `/people/${id}/timeline`)).body.data),
  )
  const alerted = lists.flat().filter(({ kind }) => kind === 'alerted')
  expect(alerted).toMatchObject([{ response_id: response, survey_id: surveyId, score: 3, invitation_id: null }])
  const [person] = (await people()).filter(({ last_score }: { last_score: number | null }) => last_score === 3)
  const kinds = []
  for (let cursor = ''; cursor !== null;) {
    const page = await call('GET', `/people/${person.id}/timeline?limit=1${cursor && `&cursor=${cursor}`}`)
    kinds.push(...page.body.data.map(({ kind }: { kind: string }) => kind))
    cursor = page.body.next_cursor
  }
  expect(kinds.toSorted()).toEqual(['alerted', 'invited', 'responded', 'sent', 'started'])
})

test('no webhook shows who gave a response', async () => {
  const mail = recordEmail(server)
  await inviteToSurvey(server, owner, surveyId)
  await runSweep(server, dispatchSweeps.email)
  await answer(mail, 3)
  const [person] = await people()
  const events = await server.peek<{ text: string }>('select to_jsonb(e)::text as text from events e')
  expect(events.length).toBeGreaterThan(0)
  expect(events.map(({ text }) => text).join()).not.toMatch(/person|per_/)
  expect(person).toMatchObject({ last_score: 3 })
})

test('a workspace that does not remember recipients makes no people, and still knows its own', async () => {
  expect((await call('PATCH', '/org', { remember_recipients: false })).body).toMatchObject({
    remember_recipients: false,
  })
  await call('POST', '/people', { external_id: 'crm-1', email: 'grace@example.com' })
  await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'ada@example.com' }, { email: 'grace@example.com' }],
  })
  recordEmail(server)
  await runSweep(server, dispatchSweeps.email)
  expect(await people()).toMatchObject([{ external_id: 'crm-1', last_invited_at: expect.any(String) }])
})

describe('a reminder on another channel', () => {
  const remind = async () => {
    server.clock.advance(HOUR_MS)
    await runSweep(server, dispatchSweeps.sms)
    await runSweep(server, dispatchSweeps.email)
  }
  const recipients = [{ email: 'ada@example.com', phone: '+4930901820' }, { email: 'grace@example.com' }]

  test('goes to those who did not answer, and skips those without the address', async () => {
    recordEmail(server)
    await addNumber(server, owner, {})
    await inviteToSurvey(server, owner, surveyId, {
      recipients,
      reminders: [{ after_hours: 1, channel: 'sms' }, { after_hours: 1 }],
    })
    await runSweep(server, dispatchSweeps.email)
    expect(await sends()).toEqual(
      expect.arrayContaining(['sms 1 queued ', 'sms 1 skipped no_address', 'email 2 queued ']),
    )
    await remind()
    expect(await sends()).toEqual(expect.arrayContaining(['sms 1 accepted ', 'email 2 queued ']))
    await remind()
    expect((await sends()).sort()).toEqual([
      'email 0 accepted ',
      'email 0 accepted ',
      'email 2 accepted ',
      'email 2 accepted ',
      'sms 1 accepted ',
      'sms 1 skipped no_address',
    ])
  })

  test('ends with an answer, and with an objection on the first channel', async () => {
    const mail = recordEmail(server)
    await addNumber(server, owner, {})
    const reminders = [{ after_hours: 1, channel: 'sms' }]
    await inviteToSurvey(server, owner, surveyId, { recipients: recipients.slice(0, 1), reminders })
    await runSweep(server, dispatchSweeps.email)
    await answer(mail, 9)
    await inviteToSurvey(server, owner, surveyId, {
      recipients: [{ email: 'grace@example.com', phone: '+4930901821' }],
      reminders,
    })
    await runSweep(server, dispatchSweeps.email)
    const unsubscribe = /unsubscribe\/([\w.~-]+)/.exec(mail.sent.at(-1)?.text ?? '')?.[1]
    expect((await server.request('POST', `/public/unsubscribe/${unsubscribe}`)).status).toBe(200)
    await remind()
    expect((await sends()).filter((line: string) => line.startsWith('sms')).sort()).toEqual([
      'sms 1 skipped answered',
      'sms 1 skipped suppressed',
    ])
  })

  test('has words of its own, in the language of the person', async () => {
    const mail = recordEmail(server)
    await addNumber(server, owner, {})
    const template = {
      name: 'Own',
      default_language: 'en',
      content: {
        en: { subject: 'No. {{ reminder }}', html: '<p>[{{ words }}]</p><a href="{{ unsubscribe_url }}">Out</a>' },
      },
    }
    const { id: template_id } = (await call('POST', '/email-templates', template)).body
    const words = { en: 'Two days <left>.', de: 'Noch zwei Tage.' }
    await inviteToSurvey(server, owner, surveyId, {
      recipients: [{ email: 'ada@example.com', phone: '+4930901820', name: 'Ada', language: 'de' }],
      reminders: [
        { after_hours: 1, words },
        { after_hours: 1, template_id, words: 'Last call.' },
        { after_hours: 1, channel: 'sms', words },
      ],
    })
    await runSweep(server, dispatchSweeps.email)
    expect(mail.sent.at(-1)?.text).toContain('Es dauert ein bis zwei Minuten.')
    await remind()
    expect(mail.sent.at(-1)?.text).toContain('Noch zwei Tage.')
    expect(mail.sent.at(-1)?.text).not.toContain('Es dauert')
    await remind()
    expect(mail.sent.at(-1)).toMatchObject({ subject: 'No. 2', html: expect.stringContaining('<p>[Last call.]</p>') })
    await remind()
    expect(twilio.messages.at(-1)?.body).toMatch(/^Noch zwei Tage\./)
  })

  test.each([
    [{ after_hours: 1, channel: 'voice', words: 'Hi' }, 'words_without_text', 'reminders.0.words'],
    [{ after_hours: 1, channel: 'sms' }, 'no_sender_number', 'reminders.0.channel'],
    [{ after_hours: 1, template_id: 'tpl_x' }, 'unknown_template', 'reminders.0.template_id'],
    [{ after_hours: 1, channel: 'voice', template_id: 'tpl_x' }, 'template_without_email', 'reminders.0.template_id'],
  ])('%j is refused with its place', async (reminder, code, path) => {
    const body = { channel: 'email', recipients, reminders: [reminder] }
    expect(await call('POST', `/surveys/${surveyId}/invite`, body)).toMatchObject({
      status: 422,
      body: { code, issues: [{ path }] },
    })
  })
})

describe('explain', () => {
  const explain = async (id: string, recipient: string) =>
    (await call('GET', `/invitations/${id}/explain?recipient=${encodeURIComponent(recipient)}`)).body
  const wrong = (explanation: { checks: { check: string; ok: boolean }[] }) =>
    explanation.checks.filter(({ ok }) => !ok).map(({ check }) => check)

  test('shows every rule and every message of a person, who is named by a masked address', async () => {
    const mail = recordEmail(server)
    await addNumber(server, owner, {})
    const { id } = await inviteToSurvey(server, owner, surveyId, {
      recipients: [{ email: 'ada@example.com', phone: '+4930901820' }, { email: 'grace@example.com' }],
      reminders: [{ after_hours: 1, channel: 'sms' }],
    })
    expect(await explain(id, 'ada@example.com')).toMatchObject({ sent: false, sends: [{ status: 'queued' }] })
    await runSweep(server, dispatchSweeps.email)
    const grace = await explain(id, ' Grace@Example.com')
    expect(grace).toMatchObject({ invitation_id: id, recipient: 'g***@example.com', sent: true })
    expect(grace.checks.map(({ check }: { check: string }) => check)).toEqual([
      'in_list',
      'not_cancelled',
      'survey_live',
      'not_answered',
      'not_suppressed',
      'not_duplicate',
      'contact_frequency',
      'quiet_hours',
      'sent',
      'reminder_1',
    ])
    expect(wrong(grace)).toEqual(['reminder_1'])
    expect(grace.checks.at(-1).detail).toBe('It is skipped: no_address.')
    server.clock.advance(HOUR_MS)
    await runSweep(server, dispatchSweeps.sms)
    for (const recipient of ['ada@example.com', '+49 30 901820'])
      expect(await explain(id, recipient)).toMatchObject({
        sends: [
          { channel: 'email', reminder: 0, status: 'accepted' },
          { channel: 'sms', reminder: 1, status: 'accepted' },
        ],
      })
    await answer(mail, 9)
    expect(JSON.stringify(grace)).not.toContain('grace@')
  })

  test('names the rules that kept a person from getting a message', async () => {
    await call('PATCH', '/org', {
      contact_frequency: { max_contacts: 1, per_days: 30 },
      quiet_hours: { start: '00:00', end: '23:59' },
    })
    await call('POST', '/suppression', { channel: 'email', address: 'out@example.com' })
    const body = {
      recipients: [{ email: 'ada@example.com' }, { email: 'out@example.com' }, { email: 'late@example.com' }],
    }
    const { id } = await inviteToSurvey(server, owner, surveyId, body)
    expect(wrong(await explain(id, 'out@example.com'))).toEqual(['in_list', 'not_suppressed', 'quiet_hours', 'sent'])
    expect(wrong(await explain(id, 'ada@example.com'))).toEqual(['contact_frequency', 'quiet_hours', 'sent'])
    expect(wrong(await explain(id, 'stranger@example.com'))).toEqual(['in_list', 'quiet_hours', 'sent'])
    await call('POST', `/invitations/${id}/cancel`)
    await call('POST', `/surveys/${surveyId}/close`)
    expect(wrong(await explain(id, 'late@example.com'))).toEqual([
      'not_cancelled',
      'survey_live',
      'quiet_hours',
      'sent',
    ])
    expect(await explain(id, 'nobody')).toMatchObject({ status: 400, issues: [{ path: 'recipient' }] })
  })

  test('judges quiet hours in the time zone of the person', async () => {
    const hour = server.clock.now().getUTCHours()
    const at = (hours: number) => `${String(hours % 24).padStart(2, '0')}:00`
    await call('PATCH', '/org', { timezone: 'UTC', quiet_hours: { start: at(hour), end: at(hour + 1) } })
    const { id } = await inviteToSurvey(server, owner, surveyId, {
      recipients: [{ email: 'ada@example.com', timezone: 'Asia/Tokyo' }, { email: 'grace@example.com' }],
    })
    expect(wrong(await explain(id, 'ada@example.com'))).toEqual(['sent'])
    expect(wrong(await explain(id, 'grace@example.com'))).toEqual(['quiet_hours', 'sent'])
    await call('POST', `/invitations/${id}/cancel`)
  })
})

test('a person is found by external id, and nothing of them is left after an erasure', async () => {
  const mail = recordEmail(server)
  await call('POST', '/people', { external_id: 'crm-7', email: 'planted@example.com', phone: '+4930901822' })
  const segment = (await call('POST', '/segments', { name: 'All', filter: { all: [] } })).body.id
  await inviteToSurvey(server, owner, surveyId, { recipients: [{ email: 'planted@example.com' }] })
  await runSweep(server, dispatchSweeps.email)
  const response = await answer(mail, 2)
  const [person] = await people()
  const request = (subject: object) => call('POST', '/gdpr/requests', { kind: 'erasure', subject })
  expect(await request({ external_id: 'crm-8' })).toMatchObject({ status: 422, body: { code: 'unknown_person' } })
  const { id } = (await request({ external_id: 'crm-7' })).body
  await runRequests(server)
  const done = (await call('GET', `/gdpr/requests/${id}`)).body
  expect(done).toMatchObject({ status: 'completed', counts: { people: 1, sends: 1, responses: 1 } })
  expect((await call('GET', `/people/${person.id}`)).status).toBe(404)
  expect((await call('GET', `/people/${person.id}/timeline`)).status).toBe(404)
  expect((await call('GET', `/segments/${segment}/preview`)).body).toEqual({ count: 0, sample: [] })
  expect((await call('GET', `/responses/${response}`)).body).toMatchObject({ person_id: null, score: { value: 2 } })
  expect(await call('POST', '/people', { phone: '+4930901822' })).toMatchObject({
    status: 409,
    body: { code: 'erased' },
  })
  const invited = await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'other@example.com', phone: '+4930901822' }],
  })
  expect(invited.skipped).toEqual([{ index: 0, reason: 'erased' }])
  const left = await server.peek("select 1 from sends where person_id is not null and address_hash = ''")
  expect(left).toEqual([])
})
