import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../testing/property-runs.ts'
import { guarded, unguarded } from './formula-guard.ts'

const BARE = /^"*[=+\-@＝＋－＠﹦﹢﹣﹫\t]/
const PIECES = ['=1+1', '＠SUM(1)', "'", '"', ';', ',', '\n', '\r\n', '\r', '\t', ' ', 'nice', '-']

/** The parts that a spreadsheet sees that splits at this sign and at line breaks, without a look at the quotes. */
function partsOf(text: string, other: string): string[] {
  return text.replaceAll('"', '""').split(new RegExp(`[${other}\r\n]`))
}

test.each([
  [',', ';'],
  [';', ','],
  ['\t', ',;'],
  ['|', ',;'],
])('with %j, no part of a text is run, and the text comes back', (delimiter, other) => {
  const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(hostile, (text) => {
      const cell = guarded(text, delimiter)
      for (const part of partsOf(cell, other)) expect(part).not.toMatch(BARE)
      expect(cell).not.toMatch(/^[\r\n]/)
      expect(unguarded(cell, delimiter)).toBe(text)
    }),
    propertyRuns(20_261_101, 1_000),
  )
})

test('each line of a cell is guarded, and an empty line has nothing to guard', () => {
  expect(guarded('Thanks for all\n=HYPERLINK(A1)\r\n@SUM(1)\rnice;=1+1', ',')).toBe(
    "Thanks for all\n'=HYPERLINK(A1)\r\n'@SUM(1)\rnice;'=1+1",
  )
  expect(guarded('One.\r\n\r\nTwo.\n"-quoted', ',')).toBe('One.\r\n\r\nTwo.\n\'"-quoted')
})
