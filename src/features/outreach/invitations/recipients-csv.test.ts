import { expect, test } from 'vitest'
import { readRecipients } from './recipients-csv.ts'

const read = (text: string) => readRecipients(Buffer.from(text))

test('names columns by its first line, in any order', async () => {
  const { recipients, issues } = await read(
    '\uFEFFname,email,custom.plan\r\n"Hopper, Grace",grace@example.com,pro\r\n\r\n,ada@example.com,\r\n',
  )
  expect(issues).toEqual([])
  expect(recipients).toEqual([
    { name: 'Hopper, Grace', email: 'grace@example.com', custom_data: { plan: 'pro' } },
    { email: 'ada@example.com', custom_data: {} },
  ])
})

test('takes the names of columns in any case, those of custom fields as they are', async () => {
  const { recipients, issues } = await read('Email,NAME,Custom.Plan\nada@example.com,Ada,pro\n')
  expect(issues).toEqual([])
  expect(recipients).toEqual([{ email: 'ada@example.com', name: 'Ada', custom_data: { Plan: 'pro' } }])
  expect((await read('Mail,Name\nada@example.com,Ada\n')).issues[0]).toEqual({
    path: 'line 1, column 1',
    message: 'There is no such column. Use email, phone, name, language, timezone, agent_id or custom.<field>.',
  })
})

test('takes semicolons, as spreadsheets of many countries write them', async () => {
  const { recipients } = await read('phone;language;timezone;agent_id\n+4930901820;de;Europe/Berlin;agt_1')
  expect(recipients).toEqual([
    { phone: '+4930901820', language: 'de', timezone: 'Europe/Berlin', agent_id: 'agt_1', custom_data: {} },
  ])
})

test('takes an export of people, and leaves out what is no matter of an invitation', async () => {
  const { recipients, issues } = await read(
    "id,external_id,email,phone,name,attributes,created_at,suppressed\nper_1,crm-1,ada@example.com,'+4930901820,Ada,{},2026,sms",
  )
  expect(issues).toEqual([])
  expect(recipients).toEqual([{ email: 'ada@example.com', phone: '+4930901820', name: 'Ada', custom_data: {} }])
})

test.each([
  ['no column with an address', 'name\nGrace', 'line 1'],
  ['an unknown column', 'email,shoe_size\na@example.com,42', 'line 1, column 2'],
  ['a column twice', 'email,email\na@example.com,b@example.com', 'line 1, column 2'],
  ['a line with too many cells', 'email,name\na@example.com,Ada,1815', 'line 2'],
  ['an open quote', 'email\n"a@example.com', ''],
  ['nothing', '', 'line 1'],
])('refuses %s, and says where', async (_, text, path) => {
  const { recipients, issues } = await read(text)
  expect(recipients).toEqual([])
  expect(issues[0]?.path).toContain(path)
})

test.each([
  ['200,000 columns', `email,${'custom.x,'.repeat(1_000)}custom.y\n`, 'line 1', 'at most 200 columns'],
  ['a head of commas alone', `${','.repeat(1_000_000)}email`, 'line 1', '16384 characters'],
  ['a line of commas alone', `email,name\n${','.repeat(2_000_000)}x`, 'line 2', '1048576 bytes'],
  ['a line that does not end', `email,name\na@example.com,${'x'.repeat(2_000_000)}`, 'line', ''],
  ['a quote that is open for long', `email,name\n"${'a@example.com,Ada\n'.repeat(80_000)}`, 'line', ''],
  [
    'more than 500,000 cells with a value',
    `email${Array.from({ length: 199 }, (_, n) => `,custom.c${n}`).join('')}\n${`a@example.com${',1'.repeat(199)}\n`.repeat(2_600)}`,
    'line 2501',
    'at most 500000 cells',
  ],
])('refuses %s before it is parsed', async (_, text, path, message) => {
  const { recipients, issues } = await read(text)
  expect(recipients).toEqual([])
  expect(issues).toEqual([{ path: expect.stringContaining(path), message: expect.stringContaining(message) }])
})

test('a long file is read whole, characters of several bytes included', async () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `ada${n}@example.com,Grâce 𝒽 ${n}`)
  const { recipients, issues } = await read(`email,name\n${lines.join('\n')}`)
  expect(issues).toEqual([])
  expect(recipients).toHaveLength(20_000)
  expect(recipients.every(({ name }, n) => name === `Grâce 𝒽 ${n}`)).toBe(true)
  expect((await read(`email,name\n${lines.join('\n')}\na@example.com,`)).issues).toMatchObject([{ path: '' }])
})

test('others get their turn while a long file is read', async () => {
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  await read(`email,name\n${'ada@example.com,Ada\n'.repeat(20_000)}`)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
})
