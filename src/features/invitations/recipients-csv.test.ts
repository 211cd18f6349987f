import { expect, test } from 'vitest'
import { readRecipients } from './recipients-csv.ts'

test('names columns by its first line, in any order', () => {
  const { recipients, issues } = readRecipients('\uFEFFname,email,custom.plan\r\n"Hopper, Grace",grace@example.com,pro\r\n\r\n,ada@example.com,\r\n')
  expect(issues).toEqual([])
  expect(recipients).toEqual([
    { name: 'Hopper, Grace', email: 'grace@example.com', custom_data: { plan: 'pro' } },
    { email: 'ada@example.com', custom_data: {} },
  ])
})

test('takes semicolons, as spreadsheets of many countries write them', () => {
  expect(readRecipients('phone;language;timezone;agent_id\n+4930901820;de;Europe/Berlin;agt_1').recipients).toEqual([
    { phone: '+4930901820', language: 'de', timezone: 'Europe/Berlin', agent_id: 'agt_1', custom_data: {} },
  ])
})

test.each([
  ['no column with an address', 'name\nGrace', 'line 1'],
  ['an unknown column', 'email,shoe_size\na@example.com,42', 'line 1, column 2'],
  ['a column twice', 'email,email\na@example.com,b@example.com', 'line 1, column 2'],
  ['a line with too many cells', 'email,name\na@example.com,Ada,1815', 'line 2'],
  ['an open quote', 'email\n"a@example.com', ''],
  ['nothing', '', 'line 1'],
])('refuses %s, and says where', (_, text, path) => {
  const { recipients, issues } = readRecipients(text)
  expect(recipients).toEqual([])
  expect(issues[0]?.path).toContain(path)
})
