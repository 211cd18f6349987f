import { expect, test } from 'vitest'
import { clientAddress, trustedProxies } from './client-address.ts'

const trusted = trustedProxies(['10.0.0.0/8', 'fd00::/8'])

test.each([
  ['no proxy', '203.0.113.9', '192.0.2.1', '203.0.113.9'],
  ['a proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['two proxies', '::ffff:10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['a forged entry before the proxy', '10.0.0.1', '192.0.2.1, 203.0.113.9', '203.0.113.9'],
  ['a proxy that writes the port', '10.0.0.1', '203.0.113.9:1234', '203.0.113.9'],
  ['a proxy that writes IPv6 and the port', 'fd00::1', '[2001:db8::9]:1234', '2001:db8::9'],
  ['a proxy that writes IPv6 in brackets', 'fd00::1', '[2001:db8::9]', '2001:db8::9'],
  ['no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['a port alone', '10.0.0.1', ':1234', '10.0.0.1'],
])('the address behind %s', (_, socket, forwarded, expected) => {
  expect(clientAddress(socket, forwarded, trusted)).toBe(expected)
})
