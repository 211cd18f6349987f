import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY } from '../../testing/makers.ts'
import { roughPattern, withoutAccents } from './accents.ts'

let server: TestServer
let workspace: TestWorkspace
beforeAll(async () => {
  server = await startTestServer()
  workspace = await createWorkspace(server)
})
afterAll(() => server.close())

const PAIRS = [
  ['café', 'cafe'],
  ['Straße', 'strasse'],
  ['STRASSE', 'straße'],
  ['Ærø', 'aero'],
  ['Łódź', 'lodz'],
  ['İstanbul', 'istanbul'],
  ['ΆΝΘΡΩΠΟΣ', 'ανθρωποσ'],
  ['ещё', 'еще'],
  ['Ấn Độ', 'an do'],
  ['100 % (é)', '100 % (e)'],
] as const

test.each(PAIRS)('%s and %s find each other', async (one, other) => {
  for (const [text, word] of [
    [one, other],
    [other, one],
  ] as const) {
    const [row] = await server.peek<{ found: boolean }>('select $1::text ~ $2::text as found', [
      text,
      roughPattern(word),
    ])
    expect(row?.found, `${word} in ${text}`).toBe(true)
  }
  expect(withoutAccents(one)).toBe(withoutAccents(other))
})

test.each([
  ['cafe', 'cafa'],
  ['が', 'か'],
  ['한', '하'],
  ['a.c', 'abc'],
])('%s does not find %s', async (word, text) => {
  const [row] = await server.peek<{ found: boolean }>('select $1::text ~ $2::text as found', [text, roughPattern(word)])
  expect(row?.found).toBe(false)
})

test('lists of surveys and agents are searched with and without accents', async () => {
  const token = workspace.token
  await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, name: 'Café in der Straße' })
  await server.request('POST', '/v1/agents', { token, body: { external_id: 'a', name: 'Zoë Großmann' } })
  const found = async (path: string, search: string) =>
    (await server.request('GET', `${path}?search=${encodeURIComponent(search)}`, { token })).body.data.length
  for (const search of ['cafe', 'CAFÉ', 'strasse', 'Straße', 'cafe\u0301'])
    expect(await found('/v1/surveys', search), search).toBe(1)
  for (const search of ['zoe', 'ZOË', 'grossm', 'Großm']) expect(await found('/v1/agents', search), search).toBe(1)
  expect(await found('/v1/surveys', 'cafa')).toBe(0)
})
