import { BlockList, isIP } from 'node:net'
import { cidrMatcher } from '../../platform/networks.ts'

// IANA special-purpose registries (RFC 6890 and later). Each family has its own list, because a shared one matches IPv4
// rules against IPv6 addresses wrongly.
const BLOCKED_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]
// Global unicast is 2000::/3. These parts of it lead elsewhere.
const BLOCKED_V6_GLOBAL = [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries any IPv4 address
  '3fff::/20', // documentation
  '2620:4f:8000::/48', // AS112
]
// Never reachable, whatever the operator allows: metadata services of clouds.
const NEVER = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128', '100.100.100.200/32', '192.0.0.192/32']

const blockedV4 = blockList(BLOCKED_V4, 'ipv4')
const globalV6 = blockList(['2000::/3'], 'ipv6')
const blockedV6 = blockList(BLOCKED_V6_GLOBAL, 'ipv6')
const never = cidrMatcher(NEVER)

/**
 * True if a tenant's request may go to an address (docs/specification.md, "Attempts"). IPv4-mapped IPv6 counts as its
 * IPv4 address.
 * @param allowed matches the private ranges of `WEBHOOK_ALLOW_CIDRS`.
 */
export function isReachable(address: string, allowed: (address: string) => boolean): boolean {
  const plain = unmapped(address)
  const family = isIP(plain)
  if (family === 0 || never(plain)) return false
  if (allowed(plain)) return true
  if (family === 4) return !blockedV4.check(plain, 'ipv4')
  return globalV6.check(plain, 'ipv6') && !blockedV6.check(plain, 'ipv6')
}

/** `1.2.3.4` for `::ffff:1.2.3.4` and `::ffff:102:304`; any other address unchanged, without its zone. */
export function unmapped(address: string): string {
  const bare = address.replace(/%[^]*/, '').toLowerCase()
  const dotted = /^(?:0*:)*:?ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1]
  if (dotted) return dotted
  const hex = /^(?:0*:)*:?ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(bare)
  if (!hex?.[1] || !hex[2] || isIP(bare) !== 6) return bare
  const [high, low] = [parseInt(hex[1], 16), parseInt(hex[2], 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function blockList(ranges: string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
