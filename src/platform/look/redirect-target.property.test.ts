import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redirectTarget } from './redirect-target.ts'
import rejected from '../vectors/redirect-reject.json' with { type: 'json' }
import { propertyRuns } from '../../testing/property-runs.ts'

test.each([
  ...rejected,
  '',
  'evil.test',
  '/path',
  '///evil.test',
  'http:/evil.test',
  'http:///evil.test',
  'http://',
  'https://?x',
  'https://#x',
  'https://@evil.test',
  'https://user@evil.test/',
  'https://evil.test\\@our.host',
  'https://our.host\\evil.test',
  'https:\\\\evil.test',
  ' https://evil.test',
  'https://evil.test ',
  'https://evil.test/a b',
  'https://evil.test/\u2028',
  'https://evil.test/\u00a0',
  'https://evil.test/\u0085',
  'https://evil.test/%0Aa',
  'https://evil.test/?a=%0d%0aX',
  'https://evil.test/%00',
  'https://evil.test/%7F',
  'java\tscript:alert(1)',
  'h\nttps://evil.test',
  'blob:https://evil.test/1',
  'ftp://evil.test',
  'ws://evil.test',
  'http://[::1',
  'http://evil.test:99999/',
  `https://evil.test/${'a'.repeat(2_000)}`,
])('%j is no target', (text) => {
  expect(redirectTarget(text)).toBeNull()
})

test.each([
  ['https://example.com', 'https://example.com/'],
  ['HTTPS://Example.COM/Path?q=1#part', 'https://example.com/Path?q=1#part'],
  ['http://localhost:8080/public/s/x?q1=9&token=a-b_c', 'http://localhost:8080/public/s/x?q1=9&token=a-b_c'],
  ['https://example.com/?to=user@example.com', 'https://example.com/?to=user@example.com'],
  ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ['https://example.com/%20%41', 'https://example.com/%20%41'],
])('%s leads to %s', (text, target) => {
  expect(redirectTarget(text)).toBe(target)
  expect(redirectTarget(target)).toBe(target)
})

test('whatever passes is one line of ASCII that a browser reads as http(s) without credentials', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('@', '\\', '%0d', 'evil.test', ':', '/', '//', '#', '?', '\r\n', 'javascript:'),
  )
  const text = fc
    .tuple(fc.constantFrom('https://', 'http://', 'HTTP://a', 'https:', ''), fc.array(piece, { maxLength: 6 }))
    .map(([start, rest]) => start + rest.join(''))
  fc.assert(
    fc.property(text, (candidate) => {
      const target = redirectTarget(candidate)
      if (target === null) return
      expect(target).toMatch(/^https?:\/\/[\x21-\x7e]+$/)
      const { username, password, protocol } = new URL(target)
      expect([username, password, /^https?:$/.test(protocol)]).toEqual(['', '', true])
    }),
    propertyRuns(20_261_125, 2_000),
  )
})
