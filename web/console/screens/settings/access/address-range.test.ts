import { expect, test } from 'vitest'
import { cidrMatcher, isCidr } from '../../../../../src/platform/networks.ts'
import { isInRange, rangeOf } from './address-range.ts'

const ADDRESSES = [
  '192.0.2.7',
  '192.0.2.255',
  '0.0.0.0',
  '255.255.255.255',
  '::1',
  '::',
  '2001:db8::1',
  '2001:db8:1:2:3:4:5:6',
  '::ffff:192.0.2.7',
  'fe80::',
]
const RANGES = [
  '192.0.2.0/24',
  '192.0.2.7/32',
  '0.0.0.0/0',
  '192.0.2.128/25',
  '::/0',
  '2001:db8::/32',
  '2001:db8::1/128',
  '64:ff9b::192.0.2.7/96',
  '::1/128',
  'fe80::/10',
]
const NONE = [
  '',
  'x',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.256',
  '01.2.3.4',
  '::1::',
  '1:2:3',
  ':::',
  '2001:db8::g',
  '1.2.3.4/33',
]
const NOT_RANGES = [
  '::1/129',
  '1.2.3.4/',
  '1.2.3.4/8/8',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8',
  '::1.2.3',
  '::256.1.1.1',
]

test('a range holds the addresses that the allowlist of the server would let in', () => {
  for (const range of RANGES)
    for (const address of ADDRESSES)
      expect(isInRange(address, range), `${address} in ${range}`).toBe(cidrMatcher([range])(address))
})

test('what the server takes as a range is a range, and nothing else', () => {
  for (const text of [...RANGES, ...NONE, ...NOT_RANGES])
    expect(rangeOf(text) !== null && text.includes('/'), text).toBe(isCidr(text))
  expect(rangeOf(' 192.0.2.7 ')).toBe('192.0.2.7/32')
  expect(rangeOf('2001:db8::1')).toBe('2001:db8::1/128')
})
