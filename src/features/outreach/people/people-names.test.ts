import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseId } from '../../../platform/ids.ts'
import { createApiKey, createMember, createWorkspace, runSweep, type TestWorkspace } from '../../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../../testing/harness.ts'
import { inviteToSurvey, makeLiveSurvey } from '../../../testing/makers.ts'
import { recordEmail } from '../../../testing/recording-email.ts'
import { batchesSweep } from '../../programme/batches/batches.feature.ts'
import { runRequests } from '../../trust/data-protection/person.fixture.ts'

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
const add = async (name: string | undefined, external_id: string): Promise<string> =>
  (await call('POST', '/people', { external_id, name })).body.id
const search = (text: string, token = owner.token) =>
  call('GET', `/people?count=true&search=${encodeURIComponent(text)}`, undefined, token)
/** External ids of the people found, which the count agrees with. */
const found = async (text: string, token = owner.token): Promise<string[]> => {
  const { body, text: answer } = await search(text, token)
  expect(body.count?.matching, answer).toEqual({ n: body.data.length, exact: true })
  return body.data.map((person: { external_id: string }) => person.external_id).sort()
}
const wordsOf = (id: string) =>
  server.peek<{ word_hash: string }>('select word_hash from people_names where person_id = $1', [parseId('person', id)])

test('a person is found by whole words of the name, in any order, case and accents', async () => {
  await add('Ada Lovelace', 'ada')
  await add('José García López', 'jose')
  await add(undefined, 'nameless')
  for (const text of ['lovelace', 'ADA', 'Lovelace, Ada', 'Adá  lovelace', 'Ａｄａ', 'ada ada'])
    expect(await found(text), text).toEqual(['ada'])
  for (const text of ['jose', 'Jose\u0301', 'garcia jose', 'LÓPEZ']) expect(await found(text), text).toEqual(['jose'])
  for (const text of ['love', 'lovelaces', 'ada garcia', 'ada lovelace byron', '***', 'nobody'])
    expect(await found(text), text).toEqual([])
})

test('people who share a word are all found by it, and told apart by another', async () => {
  await add('Ada Lovelace', '1')
  await add('Ada Byron', '2')
  await add('Byron Lovelace', '3')
  expect(await found('ada')).toEqual(['1', '2'])
  expect(await found('lovelace')).toEqual(['1', '3'])
  expect(await found('byron ada')).toEqual(['2'])
  const named = encodeURIComponent(JSON.stringify({ all: [{ field: 'external_id', op: 'eq', value: '2' }] }))
  const { body } = await call('GET', `/people?search=ada&filter=${named}&sort=-created_at`)
  expect(body.data).toMatchObject([{ external_id: '2' }])
  const first = (await call('GET', '/people?search=ada&limit=1')).body
  const second = (await call('GET', `/people?search=ada&limit=1&cursor=${first.next_cursor}`)).body
  expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['Ada Byron', 'Ada Lovelace'])
})

test('an address finds one person, and an external id its person beside those of that name', async () => {
  await call('POST', '/people', { external_id: 'lovelace', email: 'ada@example.com', name: 'Augusta' })
  await add('ada example com', 'other')
  await add('Ada Lovelace', 'named')
  expect(await found('ada@example.com')).toEqual(['lovelace'])
  expect(await found('lovelace')).toEqual(['lovelace', 'named'])
  expect(await found('+4930901820')).toEqual([])
})

test('the first 8 words of a name and of a search count', async () => {
  await add('one two three four five six seven eight nine ten', 'long')
  for (const text of [
    'eight',
    'one two three four five six seven eight nine ten',
    'eight seven six five four three two one zero',
  ])
    expect(await found(text), text).toEqual(['long'])
  expect(await found('nine')).toEqual([])
})

test('a new name drops the words of the old one, and so does none', async () => {
  const id = await add('Ada Byron', 'crm-1')
  await call('PATCH', `/people/${id}`, { name: 'Ada Lovelace' })
  expect(await found('byron')).toEqual([])
  expect(await found('ada lovelace')).toEqual(['crm-1'])
  await call('PATCH', `/people/${id}`, { language: 'en' })
  await call('POST', '/people', { external_id: 'crm-1', email: 'ada@example.com' })
  expect(await found('ada lovelace')).toEqual(['crm-1'])
  await call('PATCH', `/people/${id}`, { name: null })
  expect(await found('ada')).toEqual([])
  expect(await wordsOf(id)).toEqual([])
})

test('imported people are found by name, the last row of one person decides, and a dry run leaves no word', async () => {
  await add('Old Name', 'known')
  await add('Same Name', 'same')
  const rows = [
    { external_id: 'known', name: 'Grace Hopper' },
    { external_id: 'same', name: 'Same Name' },
    { external_id: 'new', name: 'First Draft' },
    { external_id: 'new', name: 'Katherine Johnson' },
    { external_id: 'bad', name: 'Lost Word', timezone: 'Mars' },
    { external_id: 'nameless' },
  ]
  const words = () => server.peek('select person_id, word_hash from people_names order by 1, 2')
  const before = await words()
  await call('POST', '/people/import', { rows, dry_run: true })
  expect(await words()).toEqual(before)
  expect((await call('POST', '/people/import', { rows })).body).toMatchObject({ created: 2, updated: 3 })
  for (const [text, ids] of Object.entries({
    old: [],
    'grace hopper': ['known'],
    same: ['same'],
    draft: [],
    johnson: ['new'],
    lost: [],
  }))
    expect(await found(text), text).toEqual(ids)
})

test('recipients of an invitation are found by name, and a known one keeps theirs', async () => {
  recordEmail(server)
  await call('POST', '/people', { external_id: 'known', email: 'grace@example.com', name: 'Grace Hopper' })
  await inviteToSurvey(server, owner, await makeLiveSurvey(server, owner), {
    recipients: [
      { email: 'ada@example.com', name: 'Ada Lovelace' },
      { email: 'grace@example.com', name: 'Other' },
    ],
  })
  expect((await search('lovelace')).body.data).toMatchObject([{ email: 'ada@example.com' }])
  expect(await found('hopper')).toEqual(['known'])
  expect(await found('other')).toEqual([])
})

test('a deletion and an erasure leave no word', async () => {
  const deleted = await add('Ada Lovelace', 'deleted')
  const { id: erased } = (await call('POST', '/people', { email: 'byron@example.com', name: 'Ada Byron' })).body
  const kept = await add('Ada King', 'kept')
  expect([await wordsOf(deleted), await wordsOf(erased)].map(({ length }) => length)).toEqual([2, 2])
  expect((await call('DELETE', `/people/${deleted}`)).status).toBe(204)
  await call('POST', '/gdpr/requests', { kind: 'erasure', subject: { email: 'byron@example.com' } })
  await runRequests(server)
  expect([await wordsOf(deleted), await wordsOf(erased)]).toEqual([[], []])
  expect(await wordsOf(kept)).toHaveLength(2)
  expect(await found('ada')).toEqual(['kept'])
})

test('another workspace finds nobody, and has another hash of the same word', async () => {
  const mine = await add('Ada', 'mine')
  const other = await createWorkspace(server)
  expect(await found('ada', other.token)).toEqual([])
  const { id: theirs } = (await call('POST', '/people', { external_id: 'theirs', name: 'Ada' }, other.token)).body
  expect(await found('ada', other.token)).toEqual(['theirs'])
  expect(await found('ada')).toEqual(['mine'])
  const [[a], [b]] = [await wordsOf(mine), await wordsOf(theirs)]
  expect(a?.word_hash).toMatch(/^[\w-]{43}$/)
  expect(a?.word_hash).not.toBe(b?.word_hash)
})

test('nobody without people.manage finds a name, and no filter takes one', async () => {
  await add('Ada Lovelace', 'ada')
  const viewer = (await createMember(server, owner.token, 'viewer')).token
  const { key } = await createApiKey(server, owner.token, ['segments.manage', 'exports.manage'])
  const refused = { status: 403, body: { permission: 'people.manage' } }
  for (const token of [viewer, key])
    for (const text of ['lovelace', 'nobody']) expect(await search(text, token)).toMatchObject(refused)
  const body = { filter: { all: [] }, search: 'lovelace', do: { language: 'en' }, dry_run: true }
  expect(await call('POST', '/people/batch', body, key)).toMatchObject(refused)
  for (const field of ['name', 'word_hash', 'people_names', 'search']) {
    const filter = encodeURIComponent(JSON.stringify({ all: [{ field, op: 'eq', value: 'Ada' }] }))
    expect((await call('GET', `/people?filter=${filter}`)).status, field).toBe(400)
  }
})

test('a batch changes the people of a search, as the list shows them', async () => {
  await add('Ada Lovelace', 'ada')
  await add('Byron Lovelace', 'byron')
  await add('Grace Hopper', 'grace')
  const body = { filter: { all: [] }, search: 'lovelace', expect: 2, do: { language: 'de' } }
  expect((await call('POST', '/people/batch', { ...body, dry_run: true })).body).toMatchObject({ total: 2, changed: 2 })
  expect(await call('POST', '/people/batch', body)).toMatchObject({ status: 202, body: { total: 2 } })
  await runSweep(server, batchesSweep)
  const { data } = (await call('GET', '/people')).body
  expect(data.map(({ external_id, language }: Record<string, string>) => `${external_id} ${language}`)).toEqual([
    'grace null',
    'byron de',
    'ada de',
  ])
})
