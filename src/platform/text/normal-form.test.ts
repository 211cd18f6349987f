import { expect, test } from 'vitest'
import { normalForm, piecesOf } from './normal-form.ts'

const FORMS = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const
const PLAIN = [
  'cafe\u0301',
  'A\u030Angstro\u0308m \u212B',
  '\u1112\u1161\u11ab',
  'か\u3099 ｶﾞ ﾊﾟ',
  'नमस्ते ที่นี่ xin chào các bạn',
  '👍'.repeat(50),
  '𝗮𝗱𝗮.𝗹𝗼𝘃𝗲𝗹𝗮𝗰𝗲.𝗮𝗻𝗱.𝗰𝗵𝗮𝗿𝗹𝗲𝘀.𝗯𝗮𝗯𝗯𝗮𝗴𝗲＠example.com',
  `a${'\u0301\u0316'.repeat(15)}`,
  '',
]

test.each(FORMS)('texts of languages are in the form %s of Unicode', (form) => {
  for (const text of PLAIN) expect(normalForm(text, form)).toBe(text.normalize(form))
})

// Acute and below, Hebrew, Arabic, Devanagari, kana, half-width kana, musical signs, variations.
const ROWS = [
  '\u0301\u0316',
  '\u0592\u0591',
  '\u064b\u0655',
  '\u093c\u0951',
  '\u3099\u0301',
  '\uff9e\u0301',
  '\u{1d165}\u0301',
  '\u{e0100}\u0316',
].map((pair) => pair.repeat(3_000))

test.each(FORMS)('no piece that is brought into the form %s has a long row of marks', (form) => {
  for (const row of ROWS) {
    const text = `Cafe\u0301 @a${row}e\u0301 ${row}${row} \ufdf0${row}`
    const pieces = piecesOf(text)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    for (const piece of pieces) {
      if (piece.stays) continue
      const longest = Math.max(
        0,
        ...(piece.text.normalize('NFKD').match(/\p{M}+/gu) ?? []).map((found) => found.length),
      )
      expect(longest).toBeLessThanOrEqual(60)
    }
    expect(normalForm(text, form).startsWith('Café @a'.normalize(form))).toBe(true)
  }
})

test('no text becomes more than seven times as long', () => {
  const signs = Array.from({ length: 0x20000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff)
  const long = signs
    .map((code) => String.fromCodePoint(code))
    .filter((sign) => normalForm(sign, 'NFKD').length > 7 * sign.length)
  expect(long).toEqual([])
  expect(normalForm('ﷺ ａ', 'NFKC')).toBe('ﷺ a')
})

test('a form of a form is the same', () => {
  for (const form of FORMS)
    for (const text of [...PLAIN, ...ROWS.map((row) => `e\u0301${row}e\u0301`)])
      expect(normalForm(normalForm(text, form), form)).toBe(normalForm(text, form))
})
