import { expect, test } from 'vitest'
import { contactsIn, formsOf, mayHold } from './contacts-in-text.ts'

const finds = (text: string, kind: 'email' | 'phone', address: string) => {
  const { contacts } = contactsIn([text])
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
])('an address is found in %j', (text) => {
  expect(finds(text, 'email', 'ada.lovelace+vip@example.com')).toBe(true)
})

test.each([
  'ada.lovelace@example.com',
  'ada.lovelace+vip@example.com.au',
  'ada.lovelace+vip@example.co',
  'ada.lovelace+vip2@example.com',
  'xada.lovelace+vip@example.com',
  "o'ada.lovelace+vip@example.com",
  'ada.lovelace+vip@mail.example.com',
  'ada.lovelace+vip at example.com',
])('another address is not taken for it: %j', (text) => {
  expect(finds(text, 'email', 'ada.lovelace+vip@example.com')).toBe(false)
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
])('a number is found in %j', (text) => {
  expect(finds(text, 'phone', '+4915123456789')).toBe(true)
})

test.each([
  '+4915123456788',
  '0151 2345678',
  '+1 512 345 6789',
  '+4315123456789',
  '0151 234567891',
  'order AB15123456789',
])('another number is not taken for it: %j', (text) => {
  expect(finds(text, 'phone', '+4915123456789')).toBe(false)
})

test('plain words, scores and dates hold none', () => {
  expect(contactsIn(['Quick and friendly.', 'at 10 on 2 March', '9', '12:30', 'v1.2.3'])).toEqual({
    contacts: [],
    more: false,
  })
})

test('a text with more contacts than are looked at says so, whatever fills it', () => {
  const many = Array.from({ length: 500 }, (_, n) => `a${n}@example.com`).join(' ')
  expect(contactsIn([many])).toMatchObject({ more: true })
  for (const hostile of ['@', ' ', '@ ', '. ', '(at', '1 ', '+1', '0 0', 'a.', '(0)'])
    expect(contactsIn([hostile.repeat(100_000)]).contacts.length).toBeLessThanOrEqual(64)
})

test('a text that cannot hold an address is not looked at closely', () => {
  const wanted = [...formsOf('email', 'ada.lovelace@example.com'), ...formsOf('phone', '+4915123456789')]
  for (const text of ['ADA . Lovelace [at] example.com', '+49 (0)151 234 567 89', '٠١٥١ ٢٣٤٥٦٧٨٩'])
    expect(mayHold(text, wanted)).toBe(true)
  for (const text of ['grace@example.com', '0151 1234567']) expect(mayHold(text, wanted)).toBe(false)
})
