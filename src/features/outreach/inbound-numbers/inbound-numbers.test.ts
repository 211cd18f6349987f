import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseId, type TenantId } from '../../../platform/ids.ts'
import { createWorkspace, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { makeLiveSurvey, nextNumber } from '../../../testing/makers.ts'
import { findSender } from './inbound-numbers.service.ts'
import { chooseSender, surveyOfKeyword } from './number-choice.ts'

let server: TestServer
let workspace: TestWorkspace
let other: TestWorkspace
let surveyId: string
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
  other = await createWorkspace(server)
  surveyId = await makeLiveSurvey(server, workspace)
})
afterAll(() => server.close())

const create = (body: object, owner = workspace) =>
  server.request('POST', '/v1/inbound-numbers', { token: owner.token, body })

test('a number is kept as E.164 with what it does, changed, and read back', async () => {
  const made = await create({
    number: ' +49 (30) 901820 ',
    label: 'Shops',
    keywords: [{ keyword: 'NPS 2', survey_id: surveyId }],
    default_survey_id: surveyId,
    language: 'de',
    timezone: 'Europe/Berlin',
    quiet_hours: { start: '21:00', end: '08:00' },
  })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    number: '+4930901820',
    capabilities: ['sms', 'voice'],
    keywords: [{ keyword: 'NPS 2', survey_id: surveyId }],
    quiet_hours: { start: '21:00', end: '08:00' },
  })
  const path = `/v1/inbound-numbers/${made.body.id}`
  const changed = await server.request('PATCH', path, {
    token: workspace.token,
    body: { label: 'Depots', capabilities: ['sms', 'sms'], quiet_hours: null },
  })
  expect(changed.body).toMatchObject({
    label: 'Depots',
    capabilities: ['sms'],
    quiet_hours: null,
    language: 'de',
    default_survey_id: surveyId,
  })
  expect((await server.request('GET', path, { token: workspace.token })).body).toEqual(changed.body)
  expect((await server.request('GET', '/v1/inbound-numbers', { token: workspace.token })).body.data).toContainEqual(
    changed.body,
  )
})

test('a number has one workspace in the whole server, and nobody learns which', async () => {
  const number = nextNumber()
  const first = await create({ number })
  const [own, foreign] = [await create({ number: number.replace('+1', '+1 ') }), await create({ number }, other)]
  for (const answer of [own, foreign]) expect(answer).toMatchObject({ status: 409, body: { code: 'number_taken' } })
  expect(own.body.detail).toBe(foreign.body.detail)
  expect(
    (await server.request('DELETE', `/v1/inbound-numbers/${first.body.id}`, { token: workspace.token })).status,
  ).toBe(204)
  expect((await create({ number }, other)).status, 'it is free again').toBe(201)
})

test('of many who add a number at the same time one gets it', async () => {
  const number = nextNumber()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => create({ number }, at % 2 ? workspace : other)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
})

test.each([
  ['no number', { number: '030 901820' }, 'number'],
  ['words', { number: 'call me' }, 'number'],
  ['an unknown time zone', { timezone: 'Mars/Olympus' }, ''],
  ['a time zone without daylight saving', { timezone: '+02:00' }, ''],
  ['a keyword twice', { keywords: ['one', 'One!'] }, 'keywords.1.keyword'],
  ['a keyword that means STOP', { keywords: ['un-subscribe'] }, 'keywords.0.keyword'],
  ['a keyword that means HELP', { keywords: ['Help'] }, 'keywords.0.keyword'],
  ['a keyword without a letter', { keywords: ['!!!'] }, 'keywords.0.keyword'],
])('%s is 422', async (_, body: { number?: string; timezone?: string; keywords?: string[] }, path) => {
  const keywords = body.keywords?.map((keyword) => ({ keyword, survey_id: surveyId }))
  const answer = await create({ number: nextNumber(), ...body, ...(keywords && { keywords }) })
  expect(answer, answer.text).toMatchObject({
    status: 422,
    body: { issues: [{ path: path === '' ? 'timezone' : path }] },
  })
})

test('a foreign, an unknown and a malformed survey are the same 422', async () => {
  const foreign = await makeLiveSurvey(server, other)
  for (const survey_id of [foreign, 'srv_01hzzzzzzzzzzzzzzzzzzzzzzz', 'x']) {
    const byKeyword = await create({
      number: nextNumber(),
      keywords: [
        { keyword: 'A', survey_id: surveyId },
        { keyword: 'B', survey_id },
      ],
    })
    expect(byKeyword).toMatchObject({
      status: 422,
      body: { code: 'unknown_survey', issues: [{ path: 'keywords.1.survey_id', message: 'There is no such survey.' }] },
    })
    const byDefault = await create({ number: nextNumber(), default_survey_id: survey_id })
    expect(byDefault).toMatchObject({
      status: 422,
      body: { code: 'unknown_survey', issues: [{ path: 'default_survey_id' }] },
    })
  }
})

test('invitations go out from a number that can, of the language where there is one', async () => {
  const fresh = await createWorkspace(server)
  const sender = (channel: 'sms' | 'voice', language: string | null) =>
    server.services.run((system) =>
      system
        .tenant(parseId('workspace', fresh.workspaceId) as TenantId, { type: 'system' })
        .read((tx) => findSender(tx, channel, language)),
    )
  expect(await sender('sms', null)).toBeNull()
  const german = await create({ number: nextNumber(), language: 'de', capabilities: ['sms'] }, fresh)
  const any = await create({ number: nextNumber(), capabilities: ['sms'] }, fresh)
  expect((await sender('sms', 'de-AT'))?.number).toBe(german.body.number)
  expect((await sender('sms', 'fr'))?.number).toBe(any.body.number)
  expect(await sender('voice', 'de')).toBeNull()
})

test('the sender of a language, of none, and the first', () => {
  const rows = ['en-GB', 'de', null, 'en'].map((language) => ({ language }))
  expect(['en', 'en-US', 'de-CH', 'it', null].map((language) => chooseSender(rows, language)?.language)).toEqual([
    'en',
    'en',
    'de',
    null,
    null,
  ])
  expect(chooseSender([{ language: 'de' }], 'en')?.language).toBe('de')
  expect(chooseSender([], 'en')).toBeNull()
})

test('keywords are compared in any case, without accents and punctuation', () => {
  const keywords = [{ keyword: 'Öl-Test', survey_id: 'a' as never }]
  for (const text of ['öl test', 'OL TEST!', ' Öl-Test. ']) expect(surveyOfKeyword(keywords, text)).toBe('a')
  for (const text of ['öl', 'öl test now', '', '!']) expect(surveyOfKeyword(keywords, text)).toBeUndefined()
})
