import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../../testing/fixtures.ts'
import { propertyRuns } from '../../../../testing/property-runs.ts'
import type { ExportLine } from '../../../../platform/export-source.ts'
import type { NamedColumn } from '../definition/definition.ts'
import { writeCsv } from '../formats/csv.ts'
import { openExports, type ExportHouse } from './export.fixture.ts'

const BEGINNINGS =
  '= + - @ \' \'\' =\'x \'=x ＝ ＋ － ＠ ﹦ ﹢ ﹣ ﹫ ; , | " "" é e\u0301 שלום مرحبا \u202E 😀 {"a":1} TRUE 00123 1e5 -1.50 # // *****x'
    .split(' ')
    .concat('', ' ', '\uFEFF')
const BREAKS = ['\t', '\r', '\n', '\r\n', '\u001F', '\u2028', '\u0085', '"\n"', ';\n', "'\n'", '\t=', '\r\n=1', ' \t ']
const PHONES = [
  '+4930901',
  '+1202555',
  '+44207946',
  '+3314268',
  '+5511912345',
  '+918012345',
  '+813123456',
  '+6123456',
  '+2721555',
]
const ZONES = ['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'UTC', 'Pacific/Kiritimati']
const LANGUAGES = ['en', 'pt-BR', 'zh-Hant', 'ar', 'de-CH-1996']
const LOCALS = ['=a', '+a', '-a', "'a", 'a+b', "o'neil", 'ä', 'я', '#a', '{a}', 'a&b']
const MEMBERS = ['external_id', 'email', 'phone', 'name', 'language', 'timezone', 'attributes'] as const

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })
const line = fc
  .tuple(fc.constantFrom(...BEGINNINGS), fc.string({ unit: 'grapheme', maxLength: 12 }))
  .map((parts) => parts.join(''))
const text = fc
  .tuple(fc.constantFrom(...BEGINNINGS, ...BREAKS), line, fc.constantFrom('', ...BREAKS, ...BEGINNINGS))
  .map((parts) => parts.join('').replaceAll('\0', ''))
const value = fc.oneof(text, text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())
const person = fc.record({
  known: fc.constantFrom('external_id', 'email', 'phone', 'all'),
  beginning: fc.constantFrom(...BEGINNINGS),
  local: fc.constantFrom(...LOCALS),
  domain: fc.constantFrom('example.com', 'bücher.example', 'xn--mnchen-3ya.example'),
  phone: fc.constantFrom(...PHONES),
  name: maybe(line),
  language: maybe(fc.constantFrom(...LANGUAGES)),
  timezone: maybe(fc.constantFrom(...ZONES)),
  attributes: fc.dictionary(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,20}$/), value, { maxKeys: 4 }),
})

const PEOPLE = fc.sample(person, propertyRuns(39, 200)).map((given, n) => {
  const { known, beginning, local, domain, phone, name, language, timezone, attributes } = given
  const digits =
    phone +
    String(n)
      .padStart(4, '0')
      .slice(-(/^\+(?:1202|4420|33|61|27|81)/.test(phone) ? 4 : 3))
  return {
    ...(known !== 'email' && known !== 'phone' && { external_id: `${beginning}crm ${n}` }),
    ...((known === 'email' || known === 'all') && { email: `${local}${n}@${domain}` }),
    ...((known === 'phone' || known === 'all') && { phone: `${digits}` }),
    name,
    language,
    timezone,
    attributes,
  }
})

let house: ExportHouse
beforeAll(async () => {
  house = await openExports()
  await house.call('POST', '/v1/people/import', { rows: PEOPLE })
}, 60_000)
afterAll(() => house.close())

type Known = Record<(typeof MEMBERS)[number], unknown>

async function peopleOf(token: string): Promise<Array<Known & Record<string, unknown>>> {
  const people = []
  for (let cursor = ''; ;) {
    const { body } = await house.server.request('GET', `/v1/people?limit=100${cursor}`, { token })
    people.push(...body.data)
    if (!body.next_cursor) return people
    cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
  }
}

const factsOf = (people: Known[]) =>
  people
    .map((one) => Object.fromEntries(MEMBERS.map((member) => [member, one[member]])))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

async function bringIn(body: Buffer | object, type: string) {
  const { token } = await createWorkspace(house.server)
  const answer = await house.server.request('POST', '/v1/people/import', {
    token,
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
    headers: { 'content-type': type },
  })
  expect(answer.status, answer.text.slice(0, 500)).toBe(200)
  return { token, result: answer.body }
}

async function exported(template: object): Promise<Buffer> {
  const id = await house.order({ source: 'people', ...template })
  expect(await house.finish(id)).toMatchObject({ status: 'completed' })
  const [part] = await house.download(id)
  return part as Buffer
}

describe('what leaves comes back', () => {
  test('the people of the test are stored', async () => {
    expect(await peopleOf(house.workspace.token)).toHaveLength(PEOPLE.length)
  })

  test.each([
    { delimiter: 'comma', bom: false },
    { delimiter: 'semicolon', bom: true },
    { delimiter: 'tab', bom: true },
    { delimiter: 'pipe', bom: false },
  ])('people in CSV with $delimiter, each member of each', async (options) => {
    const people = await peopleOf(house.workspace.token)
    const { token, result } = await bringIn(await exported({ format: 'csv', options }), 'text/csv')
    expect(result).toEqual({ created: people.length, updated: 0, rejected: [] })
    expect(factsOf(await peopleOf(token))).toEqual(factsOf(people))
  })

  test('people in JSONL, as rows, and people as they are listed', async () => {
    const people = await peopleOf(house.workspace.token)
    const lines = (await exported({ format: 'jsonl' })).toString().trimEnd().split('\n')
    for (const rows of [lines.map((one) => JSON.parse(one)), people]) {
      const { token, result } = await bringIn({ rows }, 'application/json')
      expect(result).toEqual({ created: people.length, updated: 0, rejected: [] })
      expect(factsOf(await peopleOf(token))).toEqual(factsOf(people))
    }
  })

  test('a column of one attribute, as text, and an empty one as none', async () => {
    const people = await peopleOf(house.workspace.token)
    const names = [...new Set(people.flatMap(({ attributes }) => Object.keys(attributes as object)))].slice(0, 150)
    const columns = ['external_id', 'email', 'phone', ...names.map((name) => `attribute.${name}`)]
    const file = await exported({ format: 'csv', columns: columns.map((field) => ({ field })) })
    const { token, result } = await bringIn(file, 'text/csv')
    expect(result).toMatchObject({ created: people.length, rejected: [] })
    const texts = people.map(({ external_id, email, phone, attributes }) => ({
      external_id,
      email,
      phone,
      name: null,
      language: null,
      timezone: null,
      attributes: Object.fromEntries(
        Object.entries(attributes as object)
          .filter(([name, one]) => names.includes(name) && one !== '')
          .map(([name, one]) => [name, String(one)]),
      ),
    }))
    const sorted = (all: Known[]) =>
      factsOf(all.map((one) => ({ ...one, attributes: Object.entries(one.attributes as object).sort() })))
    expect(sorted(await peopleOf(token))).toEqual(sorted(texts))
  })

  test('a CSV of suppressed addresses, however they begin; masked ones are named', async () => {
    const people = await peopleOf(house.workspace.token)
    const reasons = ['manual', 'complaint', 'hard_bounce', 'unsubscribe', 'stop_keyword']
    const rows = people.flatMap(({ email, phone }, n): ExportLine[] => [
      ...(email ? [['email', email, reasons[n % 5]]] : []),
      ...(phone ? [['sms', phone, reasons[n % 5]]] : []),
    ])
    const columns = ['channel', 'address', 'reason'].map((header): NamedColumn => ({
      field: header,
      type: 'text',
      header,
    }))
    const options = { delimiter: ';', bom: true, answers: 'wide', labels: 'ids', language: null } as const
    async function* batches() {
      yield rows
    }
    const chunks = []
    for await (const chunk of writeCsv(columns, batches(), options)) chunks.push(chunk)
    const { token } = await createWorkspace(house.server)
    const send = (body: Uint8Array | object, type: string) =>
      house.server.request('POST', '/v1/suppression/import', { token, body, headers: { 'content-type': type } })
    const answer = await send(new Uint8Array(Buffer.concat(chunks)), 'text/csv')
    expect(answer.body).toEqual({ suppressed: rows.length, unchanged: 0, rejected: [] })
    for (const channel of ['email', 'sms']) {
      const meant = rows.filter(([on]) => on === channel)
      const body = { channel, addresses: meant.map(([, address]) => address) }
      const checked = await house.server.request('POST', '/v1/suppression/check', { token, body })
      expect(checked.body.data).toMatchObject(meant.map(([, , reason]) => ({ suppressed: true, reason })))
    }
    const { body: listed } = await house.server.request('GET', '/v1/suppression?limit=100', { token })
    const again = await send({ rows: listed.data }, 'application/json')
    expect(again.body).toMatchObject({ suppressed: 0, unchanged: 0 })
    expect(again.body.rejected).toEqual(listed.data.map((_: unknown, index: number) => ({ index, reason: 'masked' })))
  })
})
