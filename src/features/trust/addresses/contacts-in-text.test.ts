import { expect, test, vi } from 'vitest'
import { masked } from './masked.ts'
import { candidatesIn, contactsIn, formsOf, mayHold, plainOf } from './contacts-in-text.ts'

const finds = async (text: string, kind: 'email' | 'phone', address: string) => {
  const { contacts } = await contactsIn([text])
  return formsOf(kind, address).some((wanted) => contacts.some(({ form }) => form === wanted.form))
}

test.each([
  'ada.lovelace+vip@example.com',
  'ADA.Lovelace+VIP@Example.COM',
  'Write to <ada.lovelace+vip@example.com>, please.',
  'mailto:ada.lovelace+vip@example.com?subject=x',
  'email=ada.lovelace+vip@example.com',
  'ada.lovelace+vip @ example.com',
  'ada . lovelace+vip @ example . com',
  'ada.lovelace+vip [at] example.com',
  'ada.lovelace+vip(at)example.com.',
  'ａｄａ.lovelace+vip＠example.com',
  'ada.lovelace\u200b+vip@example.com',
  'Thanks. ada.lovelace+vip@example.com. Bye.',
  'line one\nada.lovelace+vip@example.com\nline three',
  "'ada.lovelace+vip@example.com'",
  "mail='ada.lovelace+vip@example.com'",
  '-ada.lovelace+vip@example.com',
  'ada.lovelace+vip%40example.com',
  'https://example.net/?to=%3Cada.lovelace%2Bvip%40example.com%3E',
  'ada.lovelace+vip&#64;example.com',
  'ada.lovelace+vip&#x40;example&#46;com',
  'ada.lovelace+vip&commat;example.com',
  'ada.lovelace+vip(at)example(dot)com',
  'ada [dot] lovelace+vip [AT] example [DOT] com',
  'ada.lovelace+vip<at>example.com',
  'ada.lovelace+vip (a) example.com',
  'ada.lovelace+vip[@]example.com',
  'ada.lovelace+vip@example.com.Please write',
  'ada.lovelace+vip@example.com.I am there',
  'ada.lovelace+vip@example.com.please write',
  'ada.lovelace+vip@example.com-thanks',
  'ada.lovelace+vip@example.com-thanks.Bye',
  `ada.lovelace+vip@${' '.repeat(500)}example.com`,
])('an address is found in %j', async (text) => {
  expect(await finds(text, 'email', 'ada.lovelace+vip@example.com')).toBe(true)
})

test.each([
  'ada.lovelace@example.com',
  'ada.lovelace+vip@example.com.au',
  'ada.lovelace+vip@example.co',
  'ada.lovelace+vip2@example.com',
  'xada.lovelace+vip@example.com',
  "o'ada.lovelace+vip@example.com",
  'ada.lovelace+vip@mail.example.com',
  'ADA.LOVELACE+VIP@EXAMPLE.COM.AU',
  'Ada.Lovelace+VIP@Example.Com.Au',
  'ada.lovelace+vip@example.com-thanks.de',
  'mail-ada.lovelace+vip@example.com',
  'ada.lovelace+vip at example.com',
])('another address is not taken for it: %j', async (text) => {
  expect(await finds(text, 'email', 'ada.lovelace+vip@example.com')).toBe(false)
})

test.each([
  '+4915123456789',
  '+49 151 23456789',
  '0049 151 23456789',
  '0049-151-234-567-89',
  '0151 23456789',
  '0151/23456789',
  '(0151) 234 567 89',
  '+49 (0)151 23456789',
  '+49 0151 23456789',
  '4915123456789',
  'tel:+49-151-23456789.',
  'In 2024 0151 23456789 was mine',
  'Ring 030 901820 or 0151 23456789, or 0170 1234567',
  '٠١٥١ ٢٣٤٥٦٧٨٩',
  '+49 151 23456789, 9 am to 5 pm',
  '+4915123456789. 2 of us',
  '+49 151 23456789 (12-14 h)',
  '+49 151 23456789\n2026-05-01',
  '0151 23456789, 24/7',
  '0151-23456789 / 3rd floor',
  '2026-05-01 0151 23456789',
  '0151*23456789',
  '0151_23456789',
  'T015123456789',
  '011 49 151 23456789',
  '01149 151 23456789',
  '1 '.repeat(30) + '151 23456789 ' + '1 '.repeat(5),
])('a number is found in %j', async (text) => {
  expect(await finds(text, 'phone', '+4915123456789')).toBe(true)
})

test.each([
  '+4915123456788',
  '0151 2345678',
  '+1 512 345 6789',
  '+4315123456789',
  '0151 234567891',
  'order AB15123456789',
  '+43 151 23456789',
  '0043 1512 345 67 89, 24/7',
  '0151 23456789012',
  '90151 23456789',
])('another number is not taken for it: %j', async (text) => {
  expect(await finds(text, 'phone', '+4915123456789')).toBe(false)
})

test.each([
  ['+14155550132', 'Apt 12, 415 555 0132'],
  ['+14155550132', 'on 3/4, 415-555-0132'],
  ['+14155550132', '03/04, 415-555-0132 12'],
  ['+14155550132', '415.555.0132, 9am'],
  ['+14155550132', '10.00 415 555 0132'],
  ['+14155550132', '+49 151 23456789, 415 555 0132'],
  ['+34612345678', '612345678, 10:30'],
  ['+34612345678', '5 612 345 678'],
])('%s is found beside other numbers in %j', async (number, text) => {
  expect(await finds(text, 'phone', number)).toBe(true)
})

const JAPANESE = [
  '０９０ー１２３４ー５６７８',
  '090ｰ1234ｰ5678',
  '090〜1234〜5678',
  '090・1234・5678',
  '0️⃣9️⃣0️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣8️⃣',
  '⓪⑨⓪①②③④⑤⑥⑦⑧',
  '090:1234:5678',
  "090'1234'5678",
  '090~1234~5678',
  '090─1234─5678',
  '090⁃1234⁃5678',
  '090;1234;5678',
  '+81:90:1234:5678',
  '090\u061c1234\u180e56\u034f78',
  '12, 090~1234~5678',
]

test.each(JAPANESE)('a number is found whatever parts its digits: %j', async (text) => {
  expect(await finds(text, 'phone', '+819012345678')).toBe(true)
  expect(masked(text)).toMatch(/^\P{N}*\[number\]$/u)
})

test.each([
  'ada@example·com',
  'ada@example。com',
  'ada@example｡com',
  'ada@example・com',
  'ada AT example.com',
  'ada AT example DOT com',
  'a d a @ e x a m p l e . c o m',
  'ada@exa\u180emple.com',
  'ada\u061c@example.com',
  'ada@ex\u{e0001}ample.com',
])('an address is found however it is disguised: %j', async (text) => {
  expect(await finds(text, 'email', 'ada@example.com')).toBe(true)
  expect(masked(`Write to ${text}`)).toMatch(/\[address\]$/)
})

test('a sentence may end with a sign that others write for a dot', async () => {
  expect(await finds('联系 ada@example.com。谢谢', 'email', 'ada@example.com')).toBe(true)
})

test.each([
  'From 08:15; 09:30 - 10:45, 11:00',
  '08:15:30 ~ 09:45:00',
  '営業時間は０９：００〜１８：００です',
  '2020〜2024',
  '05・01・26',
  "1'234'567 CHF",
  '0★ 1★ 2★ 3★ 4★ 5★',
  '0.50 €; 100 €; 200 €',
  'between 1990~2000; 2001~2010',
  '1:1; 16:9; 4:3; 21:9',
  'We came AT NOON. Staff fine',
  'I WAS AT HOME.THANKS',
  'We ate AT 5.30 pm',
])('times, prices and scores are no numbers of people: %j', (text) => {
  expect(masked(text)).toBe(text)
})

test('a number is found wherever it stands in a long row of numbers', () => {
  for (let before = 80; before < 120; before++) {
    const text = `${'7 '.repeat(before)}0151 23456789 ${'7 '.repeat(90)}`
    const forms = [...candidatesIn(text)].map((contact) => contact?.form)
    expect(forms).toContain('local 15123456789')
  }
})

test('plain words, scores and dates hold none', async () => {
  expect(await contactsIn(['Quick and friendly.', 'at 10 on 2 March', '9', '12:30', 'v1.2.3'])).toEqual({
    contacts: [],
    more: false,
  })
})

test('a text with more contacts than are looked at says so, whatever fills it', async () => {
  const many = Array.from({ length: 500 }, (_, n) => `a${n}@example.com`).join(' ')
  expect(await contactsIn([many])).toMatchObject({ more: true })
  for (const hostile of [
    '@',
    ' ',
    '@ ',
    '. ',
    '(at',
    '1 ',
    '+1',
    '0 0',
    'a.',
    '(0)',
    '&#',
    '%4',
    '(dot',
    '@a.A',
    '@a.com-',
    '0~',
    '090~123',
    'a ',
    'a @ ',
    ' AT a.',
    '@a。a',
  ])
    expect((await contactsIn([hostile.repeat(100_000)])).contacts.length).toBeLessThanOrEqual(64)
})

test('a text that cannot hold an address is not looked at closely', () => {
  const wanted = [...formsOf('email', 'ada.lovelace@example.com'), ...formsOf('phone', '+4915123456789')]
  for (const text of [
    'ADA . Lovelace [at] example.com',
    '+49 (0)151 234 567 89',
    '٠١٥١ ٢٣٤٥٦٧٨٩',
    'ada(dot)lovelace%40example.com',
  ])
    expect(mayHold(text, wanted)).toBe(true)
  for (const text of ['grace@example.com', '0151 1234567']) expect(mayHold(text, wanted)).toBe(false)
})

test('rows of marks, in texts or a whole body of them, are read in pieces', async () => {
  for (const pair of ['\u0301\u0316', '\u0592\u0591', '\u064b\u0655', '\uff9e\u0301']) {
    const text = `ada@example.com @a${pair.repeat(25_000)} grace@example.com`
    expect(plainOf(text)).toBe(text)
    expect((await contactsIn([text])).contacts.map(({ form }) => form)).toEqual([
      'ada@example.com',
      'grace@example.com',
    ])
    expect(mayHold(text, formsOf('email', 'ada@example.com'))).toBe(true)
  }
  const turns = vi.spyOn(globalThis, 'setImmediate')
  await contactsIn(Array.from({ length: 100 }, () => `@${'a\u0301\u0316'.repeat(3_000)}`))
  // The first is of the round in which it began.
  expect(turns.mock.calls.length).toBeGreaterThan(1)
  turns.mockRestore()
})
