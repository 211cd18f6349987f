import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, runSweep, type TestWorkspace } from '../../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../../testing/harness.ts'
import { inviteToSurvey, makeId, makeLiveSurvey } from '../../../../testing/makers.ts'
import { recordEmail } from '../../../../testing/recording-email.ts'
import { submit } from '../../../../testing/survey-fixtures.ts'
import { parseId } from '../../../../platform/ids.ts'
import { BUILT_IN } from '../../../../survey-engine/language/messages.ts'
import { dispatchSweeps } from '../../../outreach/messages/messages.feature.ts'
import { openPage, sendPage } from '../page/respondent.fixture.ts'

let server: TestServer
let owner: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await createWorkspace(server)
})
afterAll(() => server.close())

const SURVEY = {
  name: 'After delivery',
  metric: 'nps',
  questions: [
    { id: 'q1', type: 'nps', title: 'Recommend?', required: true },
    { id: 'q2', type: 'open_text', title: 'You said {{ answer.q1 }}. Why?' },
  ],
}

/** A live survey, and the links in the mails of one person: the invitation and its reminder. */
async function invited(
  more: object = {},
  recipient: object = {},
): Promise<{ id: string; first: string; reminder: () => Promise<string> }> {
  const mail = recordEmail(server)
  const id = await makeLiveSurvey(server, owner, { ...SURVEY, ...more })
  const recipients = [{ email: 'grace@example.com', ...recipient }]
  await inviteToSurvey(server, owner, id, { recipients, reminders: [{ after_hours: 1 }] })
  const sent = async () => {
    await runSweep(server, dispatchSweeps.email)
    return /[?&]t(?:oken)?=([\w.~-]+)/.exec(mail.sent.at(-1)?.text ?? '')?.[1] ?? ''
  }
  return {
    id,
    first: await sent(),
    async reminder() {
      server.clock.advance(3_600_000)
      return sent()
    },
  }
}

const call = (method: string, path: string, body?: unknown) =>
  server.request(method, `/v1${path}`, { token: owner.token, body })
const responses = async (id: string) => (await call('GET', `/responses?survey_id=${id}`)).body.data
const events = async () => {
  const query = 'select type from events where tenant_id = $1 order by id'
  const rows = await server.peek<{ type: string }>(query, [parseId('workspace', owner.workspaceId)])
  return rows.map(({ type }) => type)
}

describe('the link of an invitation', () => {
  test('reopens its response, and a change updates it and notifies webhooks', async () => {
    const { id, first } = await invited({ quotas: [{ id: 'all', limit: 5 }] })
    const answered = await submit(server, id, { q1: 9, q2: 'Fast' }, { token: first })
    expect(answered).toMatchObject({ status: 201, body: { state: 'completed' } })
    const before = (await responses(id))[0]
    server.clock.advance(60_000)
    expect(await submit(server, id, { q1: 3 }, { token: first })).toMatchObject({
      status: 201,
      body: { id: answered.body.id, state: 'completed' },
    })
    expect(await responses(id)).toEqual([
      {
        ...before,
        answers: [{ question_id: 'q1', type: 'nps', value: 3 }],
        score: { metric: 'nps', value: 3, band: 'detractor' },
      },
    ])
    expect(await events()).toEqual(['survey.sent', 'response.completed', 'response.updated'])
    const [counted] = await server.peek<{ count: number }>(`select count from quota_counts where quota_id = 'all'`)
    expect(Number(counted?.count)).toBe(1)
    const report = (await call('GET', `/surveys/${id}/report`)).body
    expect(report.nps).toMatchObject({ n: 1, detractors: 1, promoters: 0 })
  })

  test('reports nothing when the same answers come again, and refuses wrong ones', async () => {
    const { id, first } = await invited()
    const { token } = (await submit(server, id, { q1: 9 }, { token: first })).body
    await submit(server, id, { q1: 9 }, { token: first })
    const again = await server.request('PATCH', `/public/responses/${token}`, { body: { answers: { q1: 9 } } })
    expect(again).toMatchObject({ status: 200, body: { state: 'completed' } })
    expect(await submit(server, id, { q1: 11 }, { token: first })).toMatchObject({
      status: 422,
      body: { issues: [{ path: 'answers.q1' }] },
    })
    expect((await events()).filter((type) => type === 'response.updated')).toEqual([])
  })

  test('and that of its reminder lead to one response', async () => {
    const { id, first, reminder } = await invited()
    const second = await reminder()
    expect(second).not.toBe(first)
    const begun = await submit(server, id, { q1: 5 }, { token: first, completed: false })
    const ended = await submit(server, id, { q2: 'Slow' }, { token: second })
    expect(ended.body).toMatchObject({ id: begun.body.id, state: 'completed' })
    expect(await submit(server, id, { q1: 6 }, { token: second })).toMatchObject({ status: 201 })
    expect(await responses(id)).toMatchObject([{ score: { value: 6 }, text: [{ value: 'Slow' }] }])
  })

  test('counts once with the last answer when two devices answer at once', async () => {
    const { id, first } = await invited()
    const all = await Promise.all(Array.from({ length: 6 }, (_, q1) => submit(server, id, { q1 }, { token: first })))
    expect(all.map(({ status }) => status)).toEqual(Array(6).fill(201))
    expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
    expect(await responses(id)).toHaveLength(1)
    const last = (await server.peek<{ data: string }>('select data from events order by id desc limit 1'))[0]
    const { score } = (await responses(id))[0]
    expect(JSON.parse(last?.data ?? '').score).toEqual(score)
    expect((await events()).filter((type) => type === 'response.completed')).toHaveLength(1)
  })

  test('shows the answers on the page, and stores a change at its last page', async () => {
    const { id, first } = await invited()
    await submit(server, id, { q1: 9, q2: 'Fast' }, { token: first })
    const page = await openPage(server, id, `?token=${first}`)
    expect(page.text).toContain(BUILT_IN['en']?.revise)
    expect(page.text).toMatch(/value="9" checked/)
    const second = await sendPage(server, page, [['q1', '2']])
    expect(second.text).toContain('You said 2.')
    expect(second.text).toContain('Fast</textarea>')
    expect(await responses(id)).toMatchObject([{ score: { value: 9 } }])
    const end = await sendPage(server, second, [['q2', '']])
    expect(end.text).toContain(BUILT_IN['en']?.received)
    expect(await responses(id)).toMatchObject([{ state: 'completed', score: { value: 2 }, text: [] }])
    expect((await events()).filter((type) => type === 'response.updated')).toHaveLength(1)
  })

  test('continues on a second device what the first began', async () => {
    const { id, first } = await invited()
    const other = await openPage(server, id, `?token=${first}`)
    await sendPage(server, await openPage(server, id, `?token=${first}`), [['q1', '7']])
    const second = await sendPage(server, other, [['q1', '8']])
    await sendPage(server, second, [['q2', 'Both']])
    expect(await responses(id)).toMatchObject([{ state: 'completed', score: { value: 8 }, text: [{ value: 'Both' }] }])
    expect(await responses(id)).toHaveLength(1)
  })
})

describe('a change is refused', () => {
  test.each([
    ['where the survey allows none', { allow_changes: false }, async () => {}],
    ['of a link that is used once', { dedupe: 'single_use' }, async () => {}],
    ['once the survey is closed', {}, (id: string) => call('POST', `/surveys/${id}/close`)],
  ] as const)('%s', async (_, more, then) => {
    const { id, first } = await invited(more)
    const { token } = (await submit(server, id, { q1: 9 }, { token: first })).body
    await then(id)
    expect((await submit(server, id, { q1: 1 }, { token: first })).body.code).toBe('already_answered')
    const patched = await server.request('PATCH', `/public/responses/${token}`, { body: { answers: { q1: 1 } } })
    expect(patched).toMatchObject({ status: 409, body: { code: 'already_completed' } })
    expect((await openPage(server, id, `?token=${first}`)).text).toContain(BUILT_IN['en']?.received)
    expect(await responses(id)).toMatchObject([{ score: { value: 9 } }])
  })

  test('where nobody was invited', async () => {
    const id = await makeLiveSurvey(server, owner, SURVEY)
    const { token } = (await submit(server, id, { q1: 9 })).body
    expect(await server.request('PATCH', `/public/responses/${token}`, { body: { answers: { q1: 1 } } })).toMatchObject(
      {
        status: 409,
      },
    )
  })

  test('of a response that the workspace deleted', async () => {
    const { id, first } = await invited()
    const { id: response } = (await submit(server, id, { q1: 9 }, { token: first })).body
    await call('DELETE', `/responses/${response}`)
    expect(await submit(server, id, { q1: 1 }, { token: first })).toMatchObject({ status: 409 })
    expect((await openPage(server, id, `?token=${first}`)).status).toBe(409)
  })

  test('of a deleted response, and a part that was deleted gives way to another', async () => {
    const { id, first } = await invited()
    const begun = await submit(server, id, { q1: 9 }, { token: first, completed: false })
    await call('DELETE', `/responses/${begun.body.id}`)
    const again = await submit(server, id, { q1: 4 }, { token: first })
    expect(again).toMatchObject({ status: 201, body: { state: 'completed' } })
    expect(again.body.id).not.toBe(begun.body.id)
    const send = (await call('GET', '/sends')).body.data.at(-1)
    expect(send).toMatchObject({ status: 'completed', response_id: again.body.id })
    expect((await submit(server, id, { q1: 5 }, { token: first })).body.id).toBe(again.body.id)
  })

  test('of a part that retention removed, which gives way to another', async () => {
    const { id, first } = await invited()
    await submit(server, id, { q1: 9 }, { token: first, completed: false })
    await server.peek('delete from responses where survey_id = $1', [parseId('survey', id)])
    const both = await Promise.all([4, 4].map((q1) => submit(server, id, { q1 }, { token: first })))
    expect(both.map(({ status }) => status)).toEqual([201, 201])
    expect(await responses(id)).toHaveLength(1)
    const send = (await call('GET', '/sends')).body.data.at(-1)
    expect(send).toMatchObject({ status: 'completed', response_id: both[0]?.body.id })
  })

  test('in an anonymous survey, which counts the first answer of each person', async () => {
    const { id, first, reminder } = await invited({ privacy: 'anonymous' })
    const second = await reminder()
    const begun = [first, second].map((token) => submit(server, id, { q1: 5 }, { token, completed: false }))
    const [one, two] = await Promise.all(begun)
    const end = (token: string) => server.request('PATCH', `/public/responses/${token}`, { body: { completed: true } })
    expect((await end(one?.body.token)).status).toBe(200)
    expect((await end(two?.body.token)).status).toBe(409)
    expect(await submit(server, id, { q1: 1 }, { token: second })).toMatchObject({
      status: 409,
      body: { code: 'already_answered' },
    })
  })
})

test('a full survey still takes changes, and a quarantined response changes in silence', async () => {
  const { id, first } = await invited({ response_limit: 1 })
  const { id: response } = (await submit(server, id, { q1: 9 }, { token: first })).body
  await call('POST', `/responses/${response}/quarantine`)
  expect(await submit(server, id, { q1: 4 }, { token: first })).toMatchObject({
    status: 201,
    body: { state: 'quarantined' },
  })
  await call('POST', `/responses/${response}/release`)
  expect(await submit(server, id, { q1: 3 }, { token: first })).toMatchObject({ status: 201 })
  expect(await responses(id)).toMatchObject([{ state: 'completed', score: { value: 3 } }])
  expect(await submit(server, id, { q1: 1 })).toMatchObject({ status: 410 })
})

const CONTACT = { id: 'who', type: 'contact', title: 'Who are you?', fields: ['email'] }

test('a changed contact is the one that counts once, and cannot be another respondent’s', async () => {
  const { id, first } = await invited({ dedupe: 'contact', metric: null, questions: [CONTACT] })
  const answer = (email: string, more: object = {}) => submit(server, id, { who: { email } }, { ...more })
  await answer('ada@example.com', { token: first })
  expect((await answer('grace@example.com', { token: first })).status).toBe(201)
  expect(await answer('grace@example.com')).toMatchObject({ status: 409, body: { code: 'already_answered' } })
  expect((await answer('ada@example.com')).status).toBe(201)
  expect(await answer('ada@example.com', { token: first })).toMatchObject({
    status: 409,
    body: { code: 'already_answered' },
  })
  expect(await responses(id)).toHaveLength(2)
})

test('a respondent cannot replace what the invitation says of them, nor name an unknown agent', async () => {
  const more = { custom_fields: ['plan', 'shop', 'agent_id'] }
  const { id, first } = await invited(more, { custom_data: { plan: 'pro' } })
  const begun = await submit(server, id, { q1: 9 }, { token: first, completed: false })
  const patch = (custom_data: object, completed = false) =>
    server.request('PATCH', `/public/responses/${begun.body.token}`, { body: { custom_data, completed } })
  expect((await patch({ plan: 'free', shop: 'Ulm' })).status).toBe(200)
  expect(await responses(id)).toMatchObject([{ custom_data: { plan: 'pro', shop: 'Ulm' } }])
  expect((await patch({ plan: 'free' }, true)).status).toBe(200)

  const custom_data = { plan: 'free', shop: 'Bonn' }
  expect((await submit(server, id, { q1: 8 }, { token: first, custom_data })).status).toBe(201)
  expect(await responses(id)).toMatchObject([{ custom_data: { plan: 'pro', shop: 'Bonn' }, agent_id: null }])
  expect(await patch({ agent_id: 'agt_nobody' }, true)).toMatchObject({ status: 422 })
  const [agent, other] = [await makeId(server, owner, 'agent'), await makeId(server, owner, 'agent')]
  for (const agent_id of [agent, other]) expect((await patch({ agent_id }, true)).status).toBe(200)
  expect(await responses(id)).toMatchObject([{ custom_data: { agent_id: agent }, agent_id: agent }])
})

test('a change keeps the reason why a response is quarantined', async () => {
  const { id, first } = await invited()
  await submit(server, id, { q1: 9 }, { token: first, page: { website: 'x' } })
  await submit(server, id, { q1: 4 }, { token: first })
  expect(await responses(id)).toMatchObject([
    { state: 'quarantined', quality_flags: ['trap_filled'], score: { value: 4 } },
  ])
})
