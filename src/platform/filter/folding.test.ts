import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { makeLiveSurvey, NPS_SURVEY, submit } from '../../testing/makers.ts'
import { sql } from '../database/database.ts'
import { Dice } from '../../testing/filters/random.ts'
import { fold, foldedToAscii, patternOf, wordsTest } from './folding.ts'

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
  ['ǼON', 'aeon'],
  ['ÞÓR', 'thor'],
  ['οδος', 'ΟΔΟΣ'],
  ['ＡＢＣ', 'ａｂｃ'],
  ['ᲗᲑᲘᲚᲘᲡᲘ', 'თბილისი'],
  ['kelvin', '\u212aelvin'],
  ['i\u0307stanbul', 'ISTANBUL'],
] as const

test.each(PAIRS)('%s and %s find each other', async (one, other) => {
  for (const [text, word] of [
    [one, other],
    [other, one],
  ] as const) {
    const [row] = await server.peek<{ found: boolean }>('select $1::text ~ $2::text as found', [text, patternOf(word)])
    expect(row?.found, `${word} in ${text}`).toBe(true)
  }
  expect(fold(one)).toBe(fold(other))
})

test.each([
  ['cafe', 'cafa'],
  ['が', 'か'],
  ['한', '하'],
  ['a.c', 'abc'],
])('%s does not find %s', async (word, text) => {
  const [row] = await server.peek<{ found: boolean }>('select $1::text ~ $2::text as found', [text, patternOf(word)])
  expect(row?.found).toBe(false)
})

test('a text has one of many words, or begins with one', async () => {
  const words = Array.from({ length: 49 }, (_, n) => `zz${n}`)
  const find = async (text: string, op: 'contains' | 'starts_with') => {
    const test = wordsTest(sql`${text}::text`, op, ...words, 'Straße')
    return server.services.run((system) => system.tx((tx) => tx.one(sql<{ found: boolean }>`select ${test} as found`)))
  }
  expect(await find('a STRASSE', 'contains')).toEqual({ found: true })
  expect(await find('a ZZ4', 'contains')).toEqual({ found: true })
  expect(await find('a zy4', 'contains')).toEqual({ found: false })
  expect(await find('zz48 and more', 'starts_with')).toEqual({ found: true })
  expect(await find('a zz48', 'starts_with')).toEqual({ found: false })
})

const ALPHABET = [...'aAáeéEoOösSßẞſtThHþÞæÆœiIİıσςΣдйЙ9 .(', '\u0301', '\u0307']

test('the database finds what memory finds, in random texts', async () => {
  const dice = new Dice(7)
  const some = (most: number) => Array.from({ length: 1 + dice.below(most) }, () => dice.one(ALPHABET)).join('')
  const made = Array.from({ length: 4_000 }, () => ({ text: some(6).normalize('NFC'), word: some(3) }))
  // In a row of three or more, the pattern looks for `ß` in some places only.
  const cases = made.filter(({ word }) => !fold(word).includes('sss'))
  for (const op of ['contains', 'starts_with'] as const) {
    const rows = await server.services.database.asOwner((owner) =>
      owner.query<{ found: boolean }>(
        `select text ~ pattern as found from unnest($1::text[], $2::text[]) with ordinality as one (text, pattern, n) order by n`,
        [
          cases.map(({ text }) => text),
          cases.map(({ word }) => (op === 'contains' ? '' : '^[\u0300-\u036f]*') + patternOf(word, op)),
        ],
      ),
    )
    const wrong = cases.filter(({ text, word }, n) => {
      const found = op === 'contains' ? fold(text).includes(fold(word)) : fold(text).startsWith(fold(word))
      return rows[n]?.found !== found
    })
    expect(wrong, op).toEqual([])
  }
})

test('every letter reads the same in upper and lower case, but for the Turkish ı', () => {
  const differing = []
  for (let code = 0; code < 0x20000; code += 1) {
    const letter = String.fromCodePoint(code)
    const cases = [letter.toLowerCase(), letter.toUpperCase()].filter((each) => [...each].length === 1)
    if (cases.some((each) => fold(each) !== fold(letter))) differing.push(letter)
  }
  expect(differing.filter((letter) => !/\p{M}/u.test(letter))).toEqual(['ı'])
})

test('the database reads letters of ASCII in every letter that memory does', async () => {
  const letters = Array.from({ length: 0x2fff }, (_, code) => String.fromCodePoint(code + 1)).filter((letter) =>
    /[a-z0-9]/.test(fold(letter)),
  )
  const folded = await foldedIn(letters)
  expect(letters.filter((letter, n) => folded[n] !== fold(letter))).toEqual([])
})

async function foldedIn(texts: string[]): Promise<string[]> {
  const rows = await server.services.run((system) =>
    system.tx((tx) =>
      tx.many(
        sql<{ folded: string }>`
          select ${foldedToAscii(sql`text`)} as folded from unnest(${texts}::text[]) with ordinality as one (text, n) order by n`,
      ),
    ),
  )
  return rows.map(({ folded }) => folded)
}

test('the database takes the marks of every script out of a text before it sorts marks', async () => {
  const marks = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => /\p{M}/u.test(String.fromCodePoint(code)))
    .map((code) => String.fromCodePoint(code))
  const [folded] = await foldedIn([`A${marks.join('')}Z`])
  expect(folded).toBe('a z')
  // The mark of a letter that was taken apart stays, so the others were out before.
  expect(await foldedIn(['が\u0592\u0591X', 'Ấ\u0592\u0301n'])).toEqual(['か\u3099 x', 'a n'])
})

test('the database finds the words of ASCII that memory finds, whatever marks are between', async () => {
  const dice = new Dice(11)
  const alphabet = [...ALPHABET, ...'があ한שׁ', '\u0592', '\u0591', '\u064b', '\u3099', '\u093c', '\u{1d165}', '\ufe0f']
  const texts = Array.from({ length: 2_000 }, () =>
    Array.from({ length: 1 + dice.below(9) }, () => dice.one(alphabet)).join(''),
  )
  const wordsOf = (text: string) => text.match(/[a-z0-9]+/g) ?? []
  const folded = await foldedIn(texts)
  expect(texts.filter((text, n) => wordsOf(folded[n] ?? '').join() !== wordsOf(fold(text)).join())).toEqual([])
})

test('texts and custom values are found with and without accents', async () => {
  const { token } = workspace
  const survey = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, custom_fields: ['city'] })
  const { id } = await submit(server, survey, {
    answers: { q1: 9, q3: 'Das Café in der Straße' },
    custom_data: { city: 'Łódź' },
  })
  await server.request('POST', `/v1/responses/${id}/tags`, { token, body: { tags: ['Größe'] } })
  const found = async (query: Record<string, string>) => {
    const list = await server.request('GET', `/v1/responses?${new URLSearchParams(query)}`, { token })
    return list.body.data.map((row: { id: string }) => row.id)
  }
  for (const search of ['cafe', 'CAFÉ', 'strasse', 'STRASSE', 'straß', 'cafe\u0301'])
    expect(await found({ search }), search).toEqual([id])
  expect(await found({ search: 'cafa' })).toEqual([])
  for (const [field, op, value] of [
    ['text', 'contains', 'cafe in der strasse'],
    ['answer.q3', 'contains', 'strasse'],
    ['answer.q3', 'starts_with', 'das cafe'],
    ['custom.city', 'contains', 'lodz'],
    ['custom.city', 'starts_with', 'LOD'],
    ['tag', 'contains', 'grosse'],
  ])
    expect(await found({ filter: JSON.stringify({ all: [{ field, op, value }] }) }), field).toEqual([id])
})

test('words of one field are looked for in one pattern, however the filter is written', async () => {
  const survey = await makeLiveSurvey(server, workspace, { ...NPS_SURVEY, name: 'Words' })
  const { id } = await submit(server, survey, { answers: { q1: 9, q3: 'Quick and friendly' } })
  await submit(server, survey, { answers: { q1: 9, q3: 'Slow' } })
  const words = (value: string) => ({ field: 'answer.q3', op: 'contains', value })
  const ask = async (filter: object) => {
    const before = server.statements.length
    const query = new URLSearchParams({ survey_id: survey, filter: JSON.stringify(filter) })
    const { data } = (await server.request('GET', `/v1/responses?${query}`, { token: workspace.token })).body
    const texts = server.statements.slice(before).map(({ text }) => text)
    return {
      ids: data.map((row: { id: string }) => row.id),
      patterns: Math.max(...texts.map((text) => text.split(' ~ ').length - 1)),
    }
  }
  for (const filter of [
    { any: [words('quick'), words('none')] },
    { any: [{ all: [words('quick')] }, { any: [words('none'), { any: [words('never')] }] }] },
    { all: [{ not: words('slow') }, { not: { all: [words('none')] } }] },
    { not: { any: [{ all: [words('slow')] }, words('none')] } },
  ])
    expect(await ask(filter), JSON.stringify(filter)).toEqual({ ids: [id], patterns: 1 })
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
