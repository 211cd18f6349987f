import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propertyRuns } from '../../../testing/property-runs.ts'
import { contactsIn } from './contacts-in-text.ts'
import { masked, textForModel } from './masked.ts'

describe('a model reads no address or number that an erasure would find', () => {
  // The spellings of the erasure's own test.
  const spellings = readFileSync(new URL('contacts-in-text.test.ts', import.meta.url), 'utf8')
  const found = [...spellings.matchAll(/^ {2}'((?:[^'\\]|\\.)+)',$/gm)]
    .map(([, text = '']) => {
      const plain = text.replace(/\\u\{([0-9a-f]+)\}/gi, (_, hex: string) =>
        String.fromCodePoint(Number.parseInt(hex, 16)),
      )
      return String(JSON.parse(`"${plain.replaceAll('"', '\\"')}"`))
    })
    .filter((text) => !text.includes(' at '))

  test('its spellings are found here', () => {
    expect(found.length).toBeGreaterThan(50)
  })

  test.each([
    ...found,
    'ＡＤＡ＠example.com',
    'ada＠example．com',
    'a@b.de and c@d.de',
    'ada@example.com,bob@example.com',
    'write to ada@münchen.de',
    '+49 (0)151 23456789, ext. 2',
    'Call ٠١٥١ ٢٣٤٥٦٧٨٩',
    '０１５１ ２３４５６７８９',
  ])('%j', async (text) => {
    const shown = masked(text)
    expect((await contactsIn([shown])).contacts).toEqual([])
    expect(shown.normalize('NFKC').toLowerCase()).not.toMatch(/\bada\b|lovelace|example\.com|23456789/)
  })
})

test.each([
  'Write to me. The staff (a) was kind @ 5 o’clock',
  'Score 9 of 10, twice in 2025',
  'It cost 1,200',
  'ﬁne, 3 × ½ cups',
  '  two  spaces\nand a line',
])('a text without any stays as it is: %j', (text) => {
  expect(masked(text)).toBe(text)
})

test('the words around an address stay', () => {
  expect(masked('Thanks. Write to ada . lovelace @ example . com. Bye')).toBe('Thanks. Write to [address]. Bye')
  expect(masked('See https://evil.example/x?y=1 or ring +49 30 901820!')).toBe('See [link] or ring [number]!')
})

test('half an address at the cut shows nothing', () => {
  const text = `${'x '.repeat(295)}ada.lovelace@example.com`
  expect(textForModel(text)).not.toMatch(/ada|lovelace/)
})

test('however addresses and numbers are joined with other text, nothing of them is left', async () => {
  const at = fc.constantFrom('@', ' @ ', '＠', '(at)', ' [AT] ', '%40', '&#64;', '{at}', '<at>')
  const dot = fc.constantFrom('.', '．', '[dot]', ' (dot) ', '&#46;')
  const email = fc.tuple(at, dot).map(([a, d]) => `zqxj${a}zqxjk${d}com`)
  const gap = fc.constantFrom(' ', '-', '/', '.', '')
  const phone = gap.map((g) => ['+49', '151', '234', '567', '89'].join(g))
  const words = fc.constantFrom('Write to', 'oder', '!', '. Please', 'نعم', '1 of 2', '(see)', '\n')
  const text = fc.array(fc.oneof(email, phone, words), { maxLength: 8 }).map((parts) => parts.join(' '))
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      const shown = masked(given)
      expect((await contactsIn([shown])).contacts).toEqual([])
      expect(shown).not.toMatch(/zqxj|151\W*234/)
    }),
    propertyRuns(20_260_301, 300),
  )
})

test('no half of an address reaches a model, although spaces before it collapse', () => {
  const cut = (spaces: number) => textForModel(`bob@example.com${' '.repeat(spaces)}ada.lovelace@example.com`)
  for (let spaces = 1_150; spaces < 1_190; spaces += 1) expect(cut(spaces)).not.toMatch(/ada|lovelace|exampl/)
  expect(textForModel(`bob@example.com ${'x'.repeat(2_000)}`)).not.toContain('bob')
  expect(textForModel('很好'.repeat(1_000))).toBe('很好'.repeat(300))
})
