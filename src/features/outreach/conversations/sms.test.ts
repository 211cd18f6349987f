import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import type { TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey } from '../../../testing/makers.ts'
import {
  addNumber,
  postSigned,
  responsesOf,
  startCallbackServer,
  texter,
  type Texter,
} from './twilio-callbacks.fixture.ts'

const TWO = {
  name: 'After delivery',
  metric: 'nps',
  questions: [
    {
      id: 'q1',
      type: 'nps',
      title: { en: 'How likely are you to recommend us?', de: 'Wie wahrscheinlich empfehlen Sie uns?' },
      required: true,
    },
    { id: 'q2', type: 'open_text', title: { en: 'Why {{answer.q1}}?', de: 'Warum {{answer.q1}}?' } },
  ],
}
const Q1 = 'How likely are you to recommend us?\nReply with a number from 0 to 10.'
const UNCLEAR = 'Sorry, I did not understand that.'

let server: TestServer
let workspace: TestWorkspace
let surveyId: string
let number: string
let ada: Texter
beforeAll(async () => {
  server = await startCallbackServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  workspace = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace, TWO)
  number = (await addNumber(server, workspace, { keywords: [{ keyword: 'NPS', survey_id: surveyId }] })).number
  ada = texter(server, number)
})

const suppressions = async (owner = workspace) =>
  (await server.request('GET', '/v1/suppression', { token: owner.token })).body.data

test('a keyword begins a survey whose answers land as an ordinary response and fire response.completed', async () => {
  const hook = await server.request('POST', '/v1/webhooks', {
    token: workspace.token,
    body: { url: 'https://8.8.8.8/hooks', events: ['response.completed'] },
  })
  expect(hook.status).toBe(201)
  expect(await ada.text(' nps! ')).toBe(Q1)
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'started', channel: 'sms', language: 'en' }])
  expect(await ada.text("I'd say 9")).toBe('Why 9?\nOr reply SKIP.')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { state: 'partial', answers: [{ question_id: 'q1', value: 9 }] },
  ])
  expect(await ada.text('Fast & friendly <3 👍')).toBe('Thank you! Your answers have been received.')
  const [response, ...others] = await responsesOf(server, workspace)
  expect(others).toEqual([])
  expect(response).toMatchObject({
    state: 'completed',
    channel: 'sms',
    text: [{ question_id: 'q2', value: 'Fast & friendly <3 👍' }],
    score: { metric: 'nps', value: 9 },
  })
  const ledger = await server.request('GET', '/v1/webhook-deliveries', { token: workspace.token })
  expect(ledger.body.data).toMatchObject([{ event: 'response.completed', survey_id: surveyId }])
})

test('numbers in the digits and with the decimal comma of other languages are understood', async () => {
  const survey_id = await makeLiveSurvey(server, workspace, {
    ...TWO,
    questions: [
      TWO.questions[0],
      { id: 'q2', type: 'open_text', title: { en: 'How long?', de: 'Wie lange?' }, format: 'number' },
    ],
    default_language: 'de',
  })
  const { number: own } = await addNumber(server, workspace, { keywords: [{ keyword: 'ZAHL', survey_id }] })
  const omar = texter(server, own)
  await omar.text('ZAHL')
  await omar.text('٩')
  await omar.text('3,5')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { state: 'completed', answers: [{ question_id: 'q1', value: 9 }], text: [{ question_id: 'q2', value: '3.5' }] },
  ])
})

test('the same MessageSid again gets the very same TwiML and changes nothing, at once and later', async () => {
  const form = { MessageSid: 'SMrepeated0001', From: ada.phone, To: number, Body: 'NPS' }
  const first = await Promise.all(Array.from({ length: 10 }, () => postSigned(server, '/public/twilio/sms', form)))
  expect(new Set(first.map(({ text }) => text)).size).toBe(1)
  expect(first[0]?.text).toContain('How likely')
  const answer = { MessageSid: 'SMrepeated0002', From: ada.phone, To: number, Body: '9' }
  const second = await Promise.all(Array.from({ length: 10 }, () => postSigned(server, '/public/twilio/sms', answer)))
  expect(new Set(second.map(({ text }) => text)).size).toBe(1)
  expect(await ada.text('All of it')).toContain('Thank you')
  // Out of order: the provider repeats what was said long before.
  expect((await postSigned(server, '/public/twilio/sms', answer)).text).toBe(second[0]?.text)
  expect((await postSigned(server, '/public/twilio/sms', form)).text).toBe(first[0]?.text)
  expect(await responsesOf(server, workspace)).toMatchObject([
    { state: 'completed', answers: [{ value: 9 }], text: [{ value: 'All of it' }] },
  ])
})

test('answers that come at the same time take turns', async () => {
  const people = Array.from({ length: 10 }, () => texter(server, number))
  await Promise.all(people.map((person) => person.text('NPS')))
  await Promise.all(people.flatMap((person) => [person.text('9'), person.text('Because')]))
  // Where the words came first they were no score; the score was taken then, and the next words are the reason.
  await Promise.all(people.map((person) => person.text('Finally')))
  const responses = await responsesOf(server, workspace)
  expect(responses).toHaveLength(10)
  for (const response of responses) {
    expect(response).toMatchObject({
      state: 'completed',
      answers: [{ value: 9 }],
      text: [{ value: expect.stringMatching(/^(Because|Finally)$/) }],
    })
  }
})

test('two first messages at the same time make one conversation', async () => {
  const replies = await Promise.all([ada.text('NPS'), ada.text('NPS')])
  expect(replies).toContain(Q1)
  expect(await responsesOf(server, workspace)).toHaveLength(1)
  expect(
    await server.peek('select 1 from conversations where ended_at is null and number = $1', [number]),
  ).toHaveLength(1)
})

test('an answer that cannot be read is asked again twice, then the response ends partial', async () => {
  await ada.text('NPS')
  expect(await ada.text('great')).toBe(`${UNCLEAR}\n\n${Q1}`)
  expect(await ada.text('👍')).toBe(`${UNCLEAR}\n\n${Q1}`)
  expect(await ada.text('super')).toMatch(/^Sorry, I still do not understand/)
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [] }])
  expect(
    await server.peek('select ended_reason, sealed, asked from conversations where number = $1', [number]),
  ).toEqual([{ ended_reason: 'invalid', sealed: null, asked: null }])
  expect(await ada.text('9'), 'nobody waits for it').toContain('We could not match your message')
})

test('an answer of 1,600 characters is stored whole', async () => {
  const long = '👍é'.repeat(533).padEnd(1_600, 'x')
  await ada.text('NPS')
  await ada.text('9')
  await ada.text(long)
  expect((await responsesOf(server, workspace))[0].text).toEqual([{ question_id: 'q2', value: long }])
})

describe('STOP', () => {
  test.each([
    'STOP',
    'stop',
    ' Stop. ',
    'STOPALL',
    'stop all',
    'Unsubscribe',
    'CANCEL',
    'end',
    'QUIT!',
    'revoke',
    'OPTOUT',
    'opt-out',
    'opt out',
    'stop please',
    'Please stop!!',
    'S T O P',
    'stop texting me',
    'ｓｔｏｐ',
  ])('as %j suppresses, answers nothing and ends the conversation as partial', async (word) => {
    await ada.text('NPS')
    await ada.text('9')
    expect(await ada.text(word)).toBe('')
    expect(await suppressions()).toMatchObject([{ channel: 'sms', reason: 'stop_keyword', source: 'sms' }])
    expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [{ value: 9 }] }])
    expect(await server.peek('select ended_reason, sealed from conversations where number = $1', [number])).toEqual([
      { ended_reason: 'stopped', sealed: null },
    ])
    expect(await ada.text('Because'), 'nothing is said to somebody who said stop').toBe('')
    expect(await ada.text('NPS')).toBe('')
  })

  test.each(['stop raising your prices', 'the bus stop', 'end of story', 'I want to cancel my order'])(
    'is not said by %j',
    async (text) => {
      await ada.text('NPS')
      await ada.text('9')
      expect(await ada.text(text)).toContain('Thank you')
      expect(await suppressions()).toEqual([])
    },
  )

  test('and START, UNSTOP or YES lift it; YES only while suppressed', async () => {
    for (const word of ['START', 'unstop', 'Yes!']) {
      await ada.text('STOP')
      expect(await ada.text(word)).toBe('You will get messages from Acme again. Reply STOP to opt out.')
      expect(await suppressions()).toEqual([])
    }
    const consent = await makeLiveSurvey(server, workspace, {
      name: 'C',
      questions: [{ id: 'ok', type: 'consent', title: 'May we?', required: true }, TWO.questions[0]],
    })
    await server.request(
      'PATCH',
      `/v1/inbound-numbers/${(await server.request('GET', '/v1/inbound-numbers', { token: workspace.token })).body.data[0].id}`,
      {
        token: workspace.token,
        body: { keywords: [{ keyword: 'ok go', survey_id: consent }] },
      },
    )
    expect(await ada.text('OK, go')).toBe('May we?\nReply YES or NO.')
    expect(await ada.text('YES')).toContain('How likely')
  })

  test('may be told by the provider’s own opt-out', async () => {
    expect(await ada.text('ARRETER', { OptOutType: 'STOP' })).toBe('')
    expect(await suppressions()).toHaveLength(1)
    expect(await ada.text('go', { OptOutType: 'START' })).toContain('again')
  })

  test('said to one workspace is not said to another', async () => {
    const other = await createWorkspace(server, { workspace_name: 'Other' })
    const theirs = await makeLiveSurvey(server, other, TWO)
    const otherNumber = (await addNumber(server, other, { default_survey_id: theirs })).number
    const same = texter(server, otherNumber, ada.phone)
    await ada.text('NPS')
    await same.text('hello')
    await ada.text('7')
    expect(await same.text('3')).toContain('Why 3?')
    await ada.text('STOP')
    expect(await same.text('Too slow')).toContain('Thank you')
    expect(await suppressions(other)).toEqual([])
    expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', answers: [{ value: 7 }] }])
    expect(await responsesOf(server, other)).toMatchObject([
      { state: 'completed', answers: [{ value: 3 }], text: [{ value: 'Too slow' }] },
    ])
    const hashes = await server.peek<{ address_hash: string }>(
      'select distinct address_hash from conversations where number = any($1)',
      [[number, otherNumber]],
    )
    expect(hashes, 'a person has another hash in each workspace').toHaveLength(2)
  })
})

test('HELP and INFO answer without moving the conversation', async () => {
  await ada.text('NPS')
  for (const word of ['HELP', 'info?'])
    expect(await ada.text(word)).toMatch(/^Acme: we ask for feedback by SMS\. Reply STOP/)
  expect(await ada.text('great')).toBe(`${UNCLEAR}\n\n${Q1}`)
  expect(await ada.text('help')).toMatch(/^Acme/)
  expect(await server.peek('select tries, step from conversations where number = $1', [number])).toEqual([
    { tries: 1, step: 2 },
  ])
})

test('an unknown word on a number without a default survey is explained once a day', async () => {
  expect(await ada.text('pizza')).toBe(
    'This is Acme. We could not match your message to a survey. Reply STOP to get no more messages.',
  )
  expect(await ada.text('pizza')).toBe('')
  expect(await texter(server, number).text('pizza'), 'to somebody else').toContain('Acme')
  server.clock.advance(25 * 3_600_000)
  expect(await ada.text('pizza')).toContain('Acme')
})

test('any word begins the default survey, in the language of the number', async () => {
  const { number: german } = await addNumber(server, workspace, { default_survey_id: surveyId, language: 'de-AT' })
  const greta = texter(server, german)
  expect(await greta.text('Hallo')).toBe(
    'Wie wahrscheinlich empfehlen Sie uns?\nAntworten Sie mit einer Zahl von 0 bis 10.',
  )
  expect(await greta.text('neun von zehn')).toContain('Warum 9?')
  await greta.text('weiter')
  expect(await responsesOf(server, workspace)).toMatchObject([
    { state: 'completed', language: 'de', answers: [{ value: 9 }], text: [] },
  ])
})

test('after the end nothing but a keyword begins a survey within a day', async () => {
  const { number: own } = await addNumber(server, workspace, {
    default_survey_id: surveyId,
    keywords: [{ keyword: 'AGAIN', survey_id: surveyId }],
  })
  const lea = texter(server, own)
  for (const text of ['hi', '9', 'Because']) await lea.text(text)
  for (const text of ['Thank you so much!!', 'Danke!', '👍', 'I forgot: the coffee was cold', '9'])
    expect(await lea.text(text), text).toBe('')
  expect(await responsesOf(server, workspace)).toHaveLength(1)
  expect(await lea.text('again')).toBe(Q1)
  for (const text of ['9', 'Because']) await lea.text(text)
  server.clock.advance(24 * 3_600_000)
  expect(await lea.text('hi')).toBe(Q1)
})

test('a reaction of a phone and an automatic reply are no answers, begin nothing and move nothing', async () => {
  const { number: own } = await addNumber(server, workspace, { default_survey_id: surveyId })
  const lea = texter(server, own)
  const automatic = [`Liked “${Q1}”`, 'Automatic reply: I am away', 'I’m driving with Driving Focus turned on.']
  for (const text of automatic) expect(await lea.text(text), text).toBe('')
  expect(await responsesOf(server, workspace)).toEqual([])
  await lea.text('hi')
  await lea.text('9')
  for (const text of [...automatic, '👍 to “Why 9?”', 'Hat „Why 9?“ mit Herz markiert'])
    expect(await lea.text(text), text).toBe('')
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial', text: [] }])
  expect(await lea.text('Fast')).toContain('Thank you')
})

describe('a survey', () => {
  test('that takes one response from each gets one from each phone', async () => {
    const again: Texter[] = []
    for (const dedupe of ['device', 'single_use'] as const) {
      const once = await makeLiveSurvey(server, workspace, { ...TWO, dedupe })
      const { number: own } = await addNumber(server, workspace, { default_survey_id: once })
      const [one, two] = [texter(server, own), texter(server, own)]
      for (const person of [one, two]) {
        await person.text('hi')
        await person.text('9')
        expect(await person.text('skip')).toContain('Thank you')
      }
      again.push(one)
      expect((await responsesOf(server, workspace, `&survey_id=${once}`)).map(({ state }) => state)).toEqual([
        'completed',
        'completed',
      ])
    }
    server.clock.advance(24 * 3_600_000)
    for (const person of again)
      expect(await person.text('again')).toBe('You have answered this survey before. Thank you!')
  })

  test('that closes in the middle ends the conversation', async () => {
    await ada.text('NPS')
    await server.request('POST', `/v1/surveys/${surveyId}/pause`, { token: workspace.token })
    expect(await ada.text('9')).toBe('This survey is not taking answers at the moment. Thank you!')
    expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial' }])
    expect(await texter(server, number).text('NPS')).toBe('This survey is not taking answers at the moment. Thank you!')
  })

  test('whose quota is full says so', async () => {
    const limited = await makeLiveSurvey(server, workspace, {
      ...TWO,
      questions: [TWO.questions[0]],
      quotas: [{ id: 'one', limit: 1 }],
    })
    const { number: own } = await addNumber(server, workspace, { default_survey_id: limited })
    const people = Array.from({ length: 4 }, () => texter(server, own))
    for (const person of people) await person.text('hi')
    const replies = await Promise.all(people.map((person) => person.text('9')))
    expect(replies.filter((reply) => reply.includes('received'))).toHaveLength(1)
    expect(replies.filter((reply) => reply === 'We have all the answers we need. Thank you!')).toHaveLength(3)
    const states = (await responsesOf(server, workspace, `&survey_id=${limited}`)).map(({ state }) => state).sort()
    expect(states).toEqual(['completed', 'over_quota', 'over_quota', 'over_quota'])
  })

  test('that reaches its limit takes one more and no other', async () => {
    const limited = await makeLiveSurvey(server, workspace, {
      ...TWO,
      questions: [TWO.questions[0]],
      response_limit: 1,
    })
    const { number: own } = await addNumber(server, workspace, { default_survey_id: limited })
    const people = Array.from({ length: 4 }, () => texter(server, own))
    for (const person of people) await person.text('hi')
    const replies = await Promise.all(people.map((person) => person.text('9')))
    expect(replies.filter((reply) => reply.includes('received'))).toHaveLength(1)
    expect(replies.filter((reply) => reply.includes('is not taking answers'))).toHaveLength(3)
  })
})

test('a number that is given up ends its conversations and answers nothing', async () => {
  await ada.text('NPS')
  await ada.text('9')
  const [{ id }] = (await server.request('GET', '/v1/inbound-numbers', { token: workspace.token })).body.data
  expect((await server.request('DELETE', `/v1/inbound-numbers/${id}`, { token: workspace.token })).status).toBe(204)
  expect(await ada.text('Because')).toBe('')
  expect(await responsesOf(server, workspace)).toMatchObject([{ state: 'partial' }])
  const other = await createWorkspace(server)
  await addNumber(server, other, { number, default_survey_id: await makeLiveSurvey(server, other, TWO) })
  expect(await ada.text('Because'), 'the next owner of the number begins anew').toBe(Q1)
  expect(await responsesOf(server, other)).toMatchObject([{ state: 'started' }])
})

test('no number and no words are readable in the tables of conversations', async () => {
  await ada.text('NPS')
  await ada.text('9')
  await ada.text('A secret of mine')
  const rows = await server.peek(
    `select to_jsonb(c)::text as row from conversations c union all select to_jsonb(t)::text from conversation_turns t`,
  )
  expect(rows.length).toBeGreaterThan(3)
  const all = JSON.stringify(rows)
  for (const word of [ada.phone, 'secret', 'Why 9']) expect(all).not.toContain(word)
})
