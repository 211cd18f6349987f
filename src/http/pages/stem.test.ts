import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressStem, completeStem } from './stem.ts'

const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
const words = (n: number) => Array.from({ length: n }, (_, at) => `Wörter ${at % 97} <p>`).join('')

test.each([
  ['a short text', 'a', 'b'],
  ['no text', '', 'é'],
  ['a usual page', words(1_000), words(20)],
  ['a page that threads compress, and the longest end', words(20_000), 'x'.repeat(65_535)],
])('%s and its end are one text in every encoding', async (_, text, end) => {
  for (const encoding of ['br', 'gzip'] as const) {
    const stem = await compressStem(text, encoding)
    expect(decoders[encoding](completeStem(stem, end)).toString()).toBe(text + end)
    expect(decoders[encoding](completeStem(stem, `${end[0]}!`)).toString()).toBe(`${text}${end[0]}!`)
  }
  expect(completeStem(await compressStem(text, null), end).toString()).toBe(text + end)
})

test('an end that no block holds is refused', async () => {
  const stem = await compressStem('a', 'gzip')
  for (const end of ['', 'x'.repeat(65_536)]) expect(() => completeStem(stem, end)).toThrow(/an end of/)
})
