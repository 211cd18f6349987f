import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parseId, type Id } from '../../../platform/ids.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey, NPS_SURVEY } from '../../../testing/makers.ts'
import { inWorkspace } from '../../../testing/send-fixture.ts'
import { oldInvitationsSweep } from './invitations.feature.ts'
import { Invite } from './invitations.schema.ts'
import { invite as invited } from './invite.service.ts'

const DAY_MS = 86_400_000

let server: TestServer
let owner: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, owner)
})
afterAll(() => server.close())

const invite = (body: object) => server.request('POST', `/v1/surveys/${surveyId}/invite`, { token: owner.token, body })
const sends = async (query = '') =>
  (await server.request('GET', `/v1/sends?limit=100${query}`, { token: owner.token })).body.data
const patchOrg = (body: object) => server.request('PATCH', '/v1/org', { token: owner.token, body })

test('people are asked once each, and those who cannot be asked are named with a reason', async () => {
  const answer = await inviteToSurvey(server, owner, surveyId, {
    recipients: [
      { email: 'Grace@Example.com', name: 'Grace\r\nBcc: x@example.com', custom_data: { plan: 'pro' } },
      { email: 'grace@example.com' },
      { email: 'nobody' },
      { phone: '+4930901820' },
      { email: 'ada@example.com\r\nBcc: all@example.com' },
      { email: 'ada@example.com', language: 'de' },
    ],
  })
  expect(answer).toMatchObject({
    accepted: 2,
    deferred: 0,
    skipped: [
      { index: 1, reason: 'duplicate' },
      { index: 2, reason: 'invalid_address' },
      { index: 3, reason: 'invalid_address' },
      { index: 4, reason: 'invalid_address' },
    ],
  })
  const rows = await sends()
  expect(rows).toHaveLength(2)
  expect(rows.map((row: { recipient: string }) => row.recipient).toSorted()).toEqual([
    'a***@example.com',
    'g***@example.com',
  ])
  const invitation = await server.request('GET', `/v1/invitations/${answer.id}`, { token: owner.token })
  expect(invitation.body).toMatchObject({
    status: 'sending',
    accepted: 2,
    skipped: { duplicate: 1, invalid_address: 3 },
    progress: { total: 2, waiting: 2, by_status: { queued: 2 } },
  })
})

describe('who was left out', () => {
  const skipped = (id: string, query = '', token = owner.token) =>
    server.request('GET', `/v1/invitations/${id}/skipped${query}`, { token })

  test('is named by position, with a masked address and the reason, a page at a time', async () => {
    const person = await server.request('POST', '/v1/people', {
      token: owner.token,
      body: { email: 'ada@example.com' },
    })
    await server.request('POST', '/v1/suppression', {
      token: owner.token,
      body: { channel: 'email', address: 'ada@example.com', reason: 'manual' },
    })
    const { id } = await inviteToSurvey(server, owner, surveyId, {
      recipients: [
        { email: 'grace@example.com' },
        { email: 'ada@example.com' },
        { email: 'grace@example.com' },
        { email: 'nobody' },
      ],
    })
    const at = server.clock.now().toISOString()
    const rows = [
      { index: 1, recipient: 'a***@example.com', person_id: person.body.id, reason: 'suppressed', at },
      { index: 2, recipient: 'g***@example.com', person_id: null, reason: 'duplicate', at },
      { index: 3, recipient: null, person_id: null, reason: 'invalid_address', at },
    ]
    expect((await skipped(id)).body).toMatchObject({
      data: [rows[0], { ...rows[1], person_id: expect.anything() }, rows[2]],
      next_cursor: null,
    })
    expect((await skipped(id, '?reason=duplicate')).body.data).toHaveLength(1)
    const first = (await skipped(id, '?limit=2')).body
    expect(first.data.map(({ index }: { index: number }) => index)).toEqual([1, 2])
    expect((await skipped(id, `?limit=2&cursor=${first.next_cursor}`)).body.data).toMatchObject([rows[2]])
    expect((await skipped(id, `?reason=duplicate&cursor=${first.next_cursor}`)).body.code).toBe('cursor_mismatch')
    expect((await skipped(id, '?cursor=x')).status).toBe(400)
    const story = await server.request('GET', `/v1/people/${person.body.id}/timeline`, { token: owner.token })
    expect(story.body.data).toContainEqual({
      at,
      kind: 'skipped',
      channel: 'email',
      survey_id: surveyId,
      invitation_id: id,
      response_id: null,
      score: null,
      send_id: null,
      alert_id: null,
      text: null,
      reason: 'suppressed',
    })
    await server.request('DELETE', `/v1/people/${person.body.id}`, { token: owner.token })
    expect((await skipped(id, '?reason=suppressed')).body.data).toMatchObject([{ person_id: null }])
    // No table holds the address, and a dry run leaves nobody.
    expect(JSON.stringify(await server.peek('select * from invitation_skips'))).not.toMatch(/ada@|a\*\*\*/)
    const before = await server.peek('select count(*)::int as n from invitation_skips')
    await invite({ channel: 'email', recipients: [{ email: 'nobody' }], dry_run: true })
    expect(await server.peek('select count(*)::int as n from invitation_skips')).toEqual(before)
  })

  test('is hidden from other workspaces, and from members who may not send', async () => {
    const { id } = await inviteToSurvey(server, owner, surveyId, { recipients: [{ email: 'nobody' }] })
    const stranger = await createWorkspace(server)
    expect((await skipped(id, '', stranger.token)).status).toBe(404)
    const { key } = await createApiKey(server, owner.token, [])
    expect((await skipped(id, '', key)).body).toMatchObject({ code: 'forbidden', permission: 'dispatch.send' })
  })
})

test('a message is found by its address, which no row holds', async () => {
  await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'ada@example.com' }, { email: 'grace@example.com' }],
  })
  const of = (value: string, op = 'eq') =>
    server.request(
      'GET',
      `/v1/sends?count=true&filter=${encodeURIComponent(JSON.stringify({ all: [{ field: 'recipient', op, value }] }))}`,
      {
        token: owner.token,
      },
    )
  expect((await of(' Ada@EXAMPLE.com ')).body).toMatchObject({
    data: [{ recipient: 'a***@example.com' }],
    count: { matching: { n: 1, exact: true } },
  })
  expect((await of('nobody@example.com')).body.data).toEqual([])
  expect((await of('ada')).status).toBe(400)
  expect((await of('ada@example.com', 'ne')).status).toBe(400)
  // Others read stored filters, so none of them takes an address.
  const kept = { all: [{ field: 'recipient', op: 'eq', value: 'ada@example.com' }] }
  for (const [path, body] of [
    [
      '/v1/dashboards',
      {
        name: 'A',
        widgets: [
          {
            id: 'w',
            kind: 'number',
            title: 'A',
            layout: { x: 0, y: 0, w: 4, h: 2 },
            query: { source: 'sends', measure: 'count', filter: kept },
          },
        ],
      },
    ],
    ['/v1/figures', { period: { days: 7 }, queries: { a: { source: 'sends', measure: 'count', filter: kept } } }],
    ['/v1/export-runs', { source: 'sends', format: 'csv', filter: kept }],
  ] as const)
    expect((await server.request('POST', path, { token: owner.token, body })).text).toContain('must not name a person')
  const { key } = await createApiKey(server, owner.token, ['dispatch.send'])
  const filter = encodeURIComponent(
    JSON.stringify({ any: [{ field: 'recipient', op: 'eq', value: 'ada@example.com' }] }),
  )
  expect((await server.request('GET', `/v1/sends?filter=${filter}`, { token: key })).body).toMatchObject({
    code: 'forbidden',
    permission: 'people.manage',
  })
})

test('no table holds a recipient in the clear', async () => {
  await inviteToSurvey(server, owner, surveyId, {
    recipients: [{ email: 'secret.person@example.com', name: 'Secret Person' }],
  })
  const [row] = await server.peek<Record<string, unknown>>(`select * from sends order by id desc limit 1`)
  expect(JSON.stringify(row)).not.toMatch(/secret\.person|Secret Person/)
})

test('people to whom the survey is about to go are not asked twice', async () => {
  await inviteToSurvey(server, owner, surveyId)
  expect(await inviteToSurvey(server, owner, surveyId)).toMatchObject({
    accepted: 0,
    skipped: [{ index: 0, reason: 'duplicate' }],
  })
  const other = await makeLiveSurvey(server, owner)
  expect(await inviteToSurvey(server, owner, other)).toMatchObject({ accepted: 1 })
})

test('a survey that takes no responses then invites nobody', async () => {
  const draft = (await server.request('POST', '/v1/surveys', { token: owner.token, body: NPS_SURVEY })).body.id
  expect(await inviteToSurvey(server, owner, draft)).toMatchObject({
    accepted: 0,
    skipped: [{ index: 0, reason: 'survey_not_live' }],
  })
  await server.request('POST', `/v1/surveys/${surveyId}/pause`, { token: owner.token })
  expect(await inviteToSurvey(server, owner, surveyId)).toMatchObject({
    skipped: [{ index: 0, reason: 'survey_not_live' }],
  })
})

test('a suppressed person is not asked', async () => {
  const suppressed = await server.request('POST', '/v1/suppression', {
    token: owner.token,
    body: { channel: 'email', address: 'grace@example.com', reason: 'manual' },
  })
  expect(suppressed.status, suppressed.text).toBe(201)
  expect(await inviteToSurvey(server, owner, surveyId)).toMatchObject({
    accepted: 0,
    skipped: [{ index: 0, reason: 'suppressed' }],
  })
})

test('nobody is contacted more often than the workspace allows, whatever the survey', async () => {
  await patchOrg({ contact_frequency: { max_contacts: 1, per_days: 30 } })
  await inviteToSurvey(server, owner, surveyId)
  const other = await makeLiveSurvey(server, owner)
  const recipients = [{ email: 'grace@example.com' }, { email: 'ada@example.com' }]
  expect(await inviteToSurvey(server, owner, other, { recipients })).toMatchObject({
    accepted: 1,
    skipped: [{ index: 0, reason: 'contact_frequency' }],
  })
})

describe('quiet hours', () => {
  test('wait for people who are asleep where they are', async () => {
    await patchOrg({ quiet_hours: { start: '21:00', end: '08:00' }, timezone: 'Europe/Berlin' })
    const recipients = [{ email: 'a@example.com' }, { email: 'b@example.com', timezone: 'Asia/Tokyo' }]
    // 10:00 in London is past 18:00 in Tokyo; 13:00 is past 21:00.
    const answer = await inviteToSurvey(server, owner, surveyId, { recipients, send_at: '2026-03-02T13:00:00Z' })
    expect(answer).toMatchObject({ accepted: 1, deferred: 1, skipped: [] })
    expect((await sends()).map((row: { send_at: string }) => row.send_at).toSorted()).toEqual([
      '2026-03-02T13:00:00.000Z',
      '2026-03-02T23:00:00.000Z',
    ])
  })

  test('that last longer than the survey leave nobody to ask', async () => {
    await patchOrg({ quiet_hours: { start: '08:00', end: '20:00' } })
    const closing = await makeLiveSurvey(server, owner, { ...NPS_SURVEY, closes_at: '2026-03-02T19:00:00Z' })
    expect(await inviteToSurvey(server, owner, closing)).toMatchObject({
      accepted: 0,
      deferred: 0,
      skipped: [{ index: 0, reason: 'quiet_hours' }],
    })
  })
})

test('a cancelled invitation sends nothing more', async () => {
  const { id } = await inviteToSurvey(server, owner, surveyId, { send_at: '2026-03-05T10:00:00Z' })
  expect((await server.request('GET', `/v1/invitations/${id}`, { token: owner.token })).body.status).toBe('scheduled')
  for (let twice = 0; twice < 2; twice++) {
    const answer = await server.request('POST', `/v1/invitations/${id}/cancel`, { token: owner.token })
    expect(answer.body).toMatchObject({ status: 'cancelled', progress: { waiting: 0, by_status: { cancelled: 1 } } })
  }
  expect(await sends('&status=queued')).toEqual([])
})

test('what cannot be is refused as a whole', async () => {
  const cases: Array<[object, number, string]> = [
    [{ channel: 'email' }, 400, 'recipients'],
    [{ channel: 'email', recipients: [] }, 400, 'recipients'],
    [{ channel: 'fax', recipients: [{ email: 'a@example.com' }] }, 400, 'channel'],
    [{ channel: 'email', segment_id: 'seg_1' }, 422, 'segment_id'],
    [
      { channel: 'email', recipients: [{ email: 'a@example.com', custom_data: { shoe: 1 } }] },
      422,
      'recipients.0.custom_data.shoe',
    ],
    [{ channel: 'email', recipients: [{ email: 'a@example.com', agent_id: 'agt_x' }] }, 422, 'recipients.0.agent_id'],
    [
      { channel: 'email', recipients: [{ email: 'a@example.com', agent_id: 'agt_01jwq3v8n8e6h9k2m4p6r8t0va' }] },
      422,
      'recipients.0.agent_id',
    ],
    [{ channel: 'email', recipients: [{ email: 'a@example.com', timezone: 'Mars' }] }, 422, 'recipients.0.timezone'],
    [{ channel: 'email', recipients: [{ email: 'a@example.com' }], template_id: 'tpl_x' }, 422, 'template_id'],
    [{ channel: 'sms', recipients: [{ phone: '+4930901820' }], template_id: 'tpl_x' }, 422, 'template_id'],
    [{ channel: 'email', recipients: [{ email: 'a@example.com' }], send_at: '2036-01-01T00:00:00Z' }, 422, 'send_at'],
  ]
  for (const [body, status, path] of cases) {
    const answer = await invite(body)
    expect([answer.status, answer.body.issues?.[0]?.path], JSON.stringify(body)).toEqual([status, path])
  }
  expect(await sends()).toEqual([])
})

test('the language of a recipient may be written with a low line', async () => {
  const recipients = [{ email: 'grace@example.com', language: 'de_AT' }]
  const invited = await server.request('POST', `/v1/surveys/${surveyId}/invite`, {
    token: owner.token,
    body: { channel: 'email', recipients },
  })
  expect([invited.status, invited.body.accepted]).toEqual([202, 1])
  expect(await sends()).toMatchObject([{ language: 'de-AT' }])
})

test('a CSV file invites as a list does', async () => {
  const csv = (body: string, query = 'channel=email', contentType = 'text/csv') =>
    server.request('POST', `/v1/surveys/${surveyId}/invite/csv?${query}`, {
      token: owner.token,
      body,
      headers: { 'content-type': contentType },
    })
  const answer = await csv(
    'email,name,custom.plan\ngrace@example.com,Grace,pro\nnobody,,\n',
    'channel=email&reminder_after_hours=48,96',
  )
  expect(answer.body).toMatchObject({ accepted: 1, skipped: [{ index: 1, reason: 'invalid_address' }] })
  const invitation = await server.request('GET', `/v1/invitations/${answer.body.id}`, { token: owner.token })
  expect(invitation.body.reminders).toEqual([{ after_hours: 48 }, { after_hours: 96 }])
  expect((await csv('email,shoe\na@example.com,1')).status).toBe(400)
  expect((await csv('email\na@example.com', 'channel=email', 'application/json')).status).toBe(415)
  expect((await csv('email\n', 'channel=email')).status).toBe(400)
  const declared = await csv('email\na@example.com', 'channel=email', 'text/csv; charset=windows-1250')
  expect([declared.status, declared.body.issues[0].message]).toEqual([400, expect.stringContaining('declared charset')])
})

test('inviting needs the permission, and lists name nobody of another workspace', async () => {
  const { key } = await createApiKey(server, owner.token, ['surveys.manage'])
  const refused = await server.request('POST', `/v1/surveys/${surveyId}/invite`, {
    token: key,
    body: { channel: 'email', recipients: [{ email: 'a@example.com' }] },
  })
  expect([refused.status, refused.body.permission]).toEqual([403, 'dispatch.send'])
  await inviteToSurvey(server, owner, surveyId)
  const stranger = await createWorkspace(server)
  for (const path of [`/v1/sends?survey_id=${surveyId}`, `/v1/invitations?survey_id=${surveyId}`]) {
    expect((await server.request('GET', path, { token: stranger.token })).body.data).toEqual([])
  }
})

test('the same list in several calls at once is taken by one of them', async () => {
  const recipients = Array.from({ length: 1_500 }, (_, n) => ({ email: `once${n}@example.com` }))
  const answers = await Promise.all(Array.from({ length: 3 }, () => invite({ channel: 'email', recipients })))
  expect(answers.map(({ body }) => body.accepted).toSorted((a, b) => a - b)).toEqual([0, 0, 1_500])
})

test('the rule of contact frequency looks at the time of sending, not of asking', async () => {
  await patchOrg({ contact_frequency: { max_contacts: 1, per_days: 7 } })
  const at = (days: number) => new Date(server.clock.now().getTime() + days * 86_400_000).toISOString()
  const [first, second, third] = [surveyId, await makeLiveSurvey(server, owner), await makeLiveSurvey(server, owner)]
  expect(await inviteToSurvey(server, owner, first, { send_at: at(100) })).toMatchObject({ accepted: 1 })
  expect(await inviteToSurvey(server, owner, second)).toMatchObject({ accepted: 1 })
  expect(await inviteToSurvey(server, owner, third, { send_at: at(103) })).toMatchObject({
    skipped: [{ reason: 'contact_frequency' }],
  })
})

test('a CSV of millions of lines is refused without being read to its end', async () => {
  const answer = await server.request('POST', `/v1/surveys/${surveyId}/invite/csv?channel=email`, {
    token: owner.token,
    body: `email\n${'a\n'.repeat(2_000_000)}`,
    headers: { 'content-type': 'text/csv' },
  })
  expect(answer.status).toBe(400)
  expect(answer.body.issues[0].message).toContain('20000')
})

describe('a dry run', () => {
  const tables = ['invitations', 'sends', 'segment_invitees', 'people', 'agents', 'idempotency_keys', 'audit_entries']
  const counts = () =>
    Promise.all(tables.map((table) => server.peek<{ n: number }>(`select count(*)::int as n from ${table}`)))

  test('decides about every recipient and leaves nothing', async () => {
    const before = await counts()
    const body = {
      channel: 'email',
      recipients: [{ email: 'grace@example.com', agent_id: 'Till 4' }, { email: 'nobody' }],
      dry_run: true,
    }
    const answer = await server.request('POST', `/v1/surveys/${surveyId}/invite`, {
      token: owner.token,
      body,
      headers: { 'idempotency-key': 'dry' },
    })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      dry_run: true,
      accepted: 1,
      deferred: 0,
      skipped: [{ index: 1, reason: 'invalid_address' }],
      skipped_by: { invalid_address: 1 },
    })
    const csv = await server.request('POST', `/v1/surveys/${surveyId}/invite/csv?channel=email&dry_run=true`, {
      token: owner.token,
      body: 'email\ngrace@example.com\n',
      headers: { 'content-type': 'text/csv' },
    })
    expect(csv).toMatchObject({ status: 200, body: { dry_run: true, accepted: 1 } })
    expect(await counts()).toEqual(before)
  })

  test('decides about the whole segment, and lists a thousand of those who are left out', async () => {
    const rows = Array.from({ length: 2_300 }, (_, n) =>
      n < 1_200 ? { external_id: `p${n}` } : { external_id: `p${n}`, email: `p${n}@example.com` },
    )
    await server.request('POST', '/v1/people/import', { token: owner.token, body: { rows } })
    const segment = await server.request('POST', '/v1/segments', {
      token: owner.token,
      body: { name: 'All', filter: { all: [] } },
    })
    const before = await counts()
    const answer = await invite({ channel: 'email', segment_id: segment.body.id, dry_run: true })
    expect(answer.body).toMatchObject({ accepted: 1_100, skipped_by: { invalid_address: 1_200 } })
    expect(answer.body.skipped).toHaveLength(1_000)
    const trial = Invite.parse({ channel: 'email', segment_id: segment.body.id, dry_run: true })
    const id = parseId('survey', surveyId) as Id<'survey'>
    const leaving = await inWorkspace(server, owner, (scope) => invited(scope, id, trial, AbortSignal.abort()))
    expect(leaving, 'a caller who has left').toMatchObject({ accepted: 0, skipped_by: { invalid_address: 1_000 } })
    expect(await counts()).toEqual(before)
    expect(await sends()).toEqual([])
  })
})

test('after the time of messages an invitation goes with everybody whom it left out, however many', async () => {
  const { id } = await inviteToSurvey(server, owner, surveyId, { recipients: [{ email: 'nobody' }] })
  const uuid = parseId('invitation', id)
  await server.peek(`insert into invitation_skips (tenant_id, invitation_id, position, address_hash, reason, skipped_at)
    select tenant_id, invitation_id, n, '', reason, skipped_at from invitation_skips, generate_series(1, 6000) n
    where invitation_id = '${uuid}'`)
  const rest = () => server.peek(`select count(*)::int as n from invitation_skips where invitation_id = '${uuid}'`)
  await runSweep(server, oldInvitationsSweep)
  expect(await rest()).toEqual([{ n: 6_001 }])
  // Ids have the real time.
  server.clock.set(new Date(Date.now() + 366 * DAY_MS))
  await runSweep(server, oldInvitationsSweep)
  expect(await rest()).toEqual([{ n: 0 }])
  expect(await server.peek(`select 1 from invitations where id = '${uuid}'`)).toEqual([])
})
