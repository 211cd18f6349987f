import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatId, newId, parseId, type Id, type TenantId } from '../../../platform/ids.ts'
import type { Scope } from '../../../platform/scope.ts'
import { createApiKey, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import type { TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import { idleConversationsSweep } from './conversations.routes.ts'
import { closeConversationsOfSends, openSmsConversation, type Invited, type OpenedBySms } from './outbound.service.ts'
import { addNumber, responsesOf, startCallbackServer, texter, type Texter } from './twilio-callbacks.fixture.ts'

const SURVEY = {
  name: 'After delivery',
  languages: ['en', 'de'],
  custom_fields: ['plan'],
  questions: [
    {
      id: 'q1',
      type: 'nps',
      title: { en: 'How do you like {{custom.plan}}?', de: 'Wie gefällt Ihnen {{custom.plan}}?' },
      required: true,
    },
    { id: 'q2', type: 'open_text', title: { en: 'Why?', de: 'Warum?' } },
  ],
}

let server: TestServer
let workspace: TestWorkspace
let tenantId: TenantId
let surveyId: string
let number: string
let ada: Texter
let hash: string
beforeAll(async () => {
  server = await startCallbackServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  workspace = await createWorkspace(server)
  tenantId = parseId('workspace', workspace.workspaceId) as TenantId
  surveyId = await makeLiveSurvey(server, workspace, SURVEY)
  number = (await addNumber(server, workspace, { keywords: [{ keyword: 'NPS', survey_id: surveyId }] })).number
  ada = texter(server, number)
  await ada.text('pizza')
  const [row] = await server.peek<{ stranger_hash: string }>(
    'select stranger_hash from conversation_turns where stranger_hash like $1',
    [`${number}:%`],
  )
  hash = row?.stranger_hash.slice(number.length + 1) ?? ''
})

const inWorkspace = <T>(work: (scope: Scope) => Promise<T>) =>
  server.services.run((system) => work(system.tenant(tenantId, { type: 'system' })))

async function seedSend(status = 'accepted'): Promise<Id<'send'>> {
  const sendId = newId('send')
  await server.peek(
    `insert into sends (tenant_id, id, invitation_id, survey_id, channel, reminder, first_send_id, status, address_hash, masked, attempts, created_at, accepted_at)
     values ($1, $2, $2, $3, 'sms', 0, $2, $6, $4, '+1*****01', 0, $5, $7)`,
    [
      tenantId,
      sendId,
      parseId('survey', surveyId),
      hash,
      server.clock.now(),
      status,
      status === 'accepted' ? server.clock.now() : null,
    ],
  )
  return sendId
}

async function open(sendId: Id<'send'>, rest: Partial<Invited> = {}): Promise<{ text: string }> {
  const opened = await tryOpen(sendId, rest)
  if ('waitUntil' in opened) throw new Error(`it waits until ${opened.waitUntil.toISOString()}`)
  return opened
}

function tryOpen(sendId: Id<'send'>, rest: Partial<Invited> = {}): Promise<OpenedBySms> {
  const invited: Invited = {
    sendId,
    surveyId: parseId('survey', surveyId) as Id<'survey'>,
    from: number,
    to: ada.phone,
    addressHash: hash,
    masked: '+1*****01',
    language: 'en',
    customData: { plan: 'pro' },
    name: 'Ada',
    words: null,
    ...rest,
  }
  return inWorkspace((scope) => scope.tx((tx) => openSmsConversation(scope, tx, invited)))
}

test('an invitation greets, asks the first question and says how to opt out; its answers are the send’s', async () => {
  const sendId = await seedSend()
  const { text } = await open(sendId)
  expect(text).toBe(
    'Hello Ada, Acme would like to hear from you.\n\nHow do you like pro?\nReply with a number from 0 to 10.\n\nReply STOP to opt out.',
  )
  expect(await responsesOf(server, workspace), 'nobody has begun').toEqual([])
  expect(await ada.text('9')).toContain('Why?')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { state: 'partial', channel: 'sms', custom_data: { plan: 'pro' } },
  ])
  await ada.text('skip')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { state: 'completed', answers: [{ value: 9 }], custom_data: { plan: 'pro' } },
  ])
  const [send] = await server.peek('select status, response_id is not null as linked from sends where id = $1', [
    sendId,
  ])
  expect(send).toEqual({ status: 'completed', linked: true })
})

test('the same send says the same again, whatever happened in between', async () => {
  const sendId = await seedSend()
  const first = await open(sendId)
  await ada.text('9')
  await ada.text('skip')
  expect(await open(sendId, { name: 'Somebody else' })).toEqual(first)
  expect(await server.peek('select 1 from conversations where send_id = $1', [sendId])).toHaveLength(1)
})

test('it speaks the language of the recipient, and what is too long is cut before the way out', async () => {
  expect((await open(await seedSend(), { language: 'de-CH', name: '' })).text).toMatch(
    /^Guten Tag, Acme .* gefällt Ihnen pro\?\nAntworten Sie .* STOP melden Sie sich ab\.$/s,
  )
  const { text } = await open(await seedSend(), { customData: { plan: '👍'.repeat(500) }, name: 'A'.repeat(2_000) })
  expect(text.length).toBeLessThanOrEqual(1_600)
  expect(text).toMatch(/Reply STOP to opt out\.$/)
})

test('an older conversation with the person on that number ends as partial', async () => {
  await ada.text('NPS')
  await ada.text('7')
  const sendId = await seedSend()
  await open(sendId)
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [{ value: 7 }] }])
  await ada.text('3')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { answers: [{ value: 3 }] },
    { state: 'partial', answers: [{ value: 7 }] },
  ])
})

test('an invitation to another survey waits while the one before it is on its way, and for an hour after', async () => {
  const other = parseId(
    'survey',
    await makeLiveSurvey(server, workspace, { ...SURVEY, name: 'Another' }),
  ) as Id<'survey'>
  const [first, second] = [await seedSend('calling'), await seedSend('calling')]
  const minutes = (count: number) => new Date(server.clock.now().getTime() + count * 60_000)
  await open(first)
  expect(await tryOpen(second, { surveyId: other }), 'it may still go out').toEqual({ waitUntil: minutes(10) })
  server.clock.advance(2 * 3_600_000)
  expect(await tryOpen(second, { surveyId: other }), 'however long that takes').toEqual({ waitUntil: minutes(10) })
  await server.peek(`update sends set status = 'accepted', accepted_at = $2 where id = $1`, [first, server.clock.now()])
  expect(await tryOpen(second, { surveyId: other })).toEqual({ waitUntil: minutes(60) })
  server.clock.advance(1_800_000)
  expect(await ada.text('9')).toContain('Why?')
  expect(await tryOpen(second, { surveyId: other }), 'a talk that is under way').toEqual({ waitUntil: minutes(60) })
  expect(await server.peek('select 1 from conversations where number = $1', [number])).toHaveLength(1)
  await ada.text('skip')
  await open(second, { surveyId: other })
  await ada.text('3')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { survey_id: formatId('survey', other), answers: [{ value: 3 }] },
    { survey_id: surveyId, answers: [{ value: 9 }] },
  ])
})

test('nobody waits for an invitation that is not coming, nor longer than an hour for an answer', async () => {
  const other = parseId(
    'survey',
    await makeLiveSurvey(server, workspace, { ...SURVEY, name: 'Another' }),
  ) as Id<'survey'>
  await open(await seedSend('failed'))
  const silent = await seedSend()
  await open(silent, { surveyId: other })
  server.clock.advance(3_600_000)
  await open(await seedSend())
  expect(await server.peek('select ended_reason from conversations where number = $1 order by id', [number])).toEqual([
    { ended_reason: 'superseded' },
    { ended_reason: 'superseded' },
    { ended_reason: null },
  ])
})

test('a reminder does not wait for what it reminds of', async () => {
  await open(await seedSend())
  await open(await seedSend())
  expect(await server.peek('select ended_reason from conversations where number = $1 order by id', [number])).toEqual([
    { ended_reason: 'superseded' },
    { ended_reason: null },
  ])
})

test('sends to one person that are prepared at the same time leave one conversation open', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => seedSend()))
  await Promise.all(ids.map((id) => open(id)))
  expect(
    await server.peek('select 1 from conversations where number = $1 and ended_at is null', [number]),
  ).toHaveLength(1)
  expect(await server.peek('select 1 from conversations where number = $1', [number])).toHaveLength(5)
})

test('a send that the provider refused leaves nobody waiting, and one that was answered stays', async () => {
  const [refused, answered] = [await seedSend(), await seedSend()]
  await open(refused)
  await inWorkspace((scope) => scope.tx((tx) => closeConversationsOfSends(tx, [refused])))
  expect(await server.peek('select 1 from conversations where send_id = $1', [refused])).toEqual([])
  await open(answered)
  await ada.text('9')
  await inWorkspace((scope) => scope.tx((tx) => closeConversationsOfSends(tx, [answered])))
  expect(await ada.text('Fast')).toContain('Thank you')
})

test('a survey that was published anew before the first answer is asked anew', async () => {
  await open(await seedSend())
  await server.request('PATCH', `/v1/surveys/${surveyId}`, {
    token: workspace.token,
    body: {
      questions: [
        { id: 'q0', type: 'csat', title: { en: 'Was it good?', de: 'War es gut?' }, required: true },
        ...SURVEY.questions,
      ],
    },
  })
  expect((await server.request('POST', `/v1/surveys/${surveyId}/publish`, { token: workspace.token })).status).toBe(200)
  expect(await ada.text('5')).toBe('Was it good?\nReply with a number from 1 to 5.')
  expect(await ada.text('4')).toContain('How do you like pro?')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { survey_version: 2, answers: [{ question_id: 'q0', value: 4 }] },
  ])
})

test('an invitation that nobody answers is not reminded of here, and ends after a week without a response', async () => {
  const { key } = await createApiKey(server, workspace.token, [])
  const ended = () => server.peek('select ended_reason from conversations where number = $1', [number])
  await open(await seedSend())
  server.clock.advance(7 * 86_400_000 - 1)
  await runSweep(server, idleConversationsSweep)
  expect(await ended()).toEqual([{ ended_reason: null }])
  server.clock.advance(1)
  await runSweep(server, idleConversationsSweep)
  expect(await ended()).toEqual([{ ended_reason: 'expired' }])
  expect(await responsesOf(server, { ...workspace, token: key })).toEqual([])
})
