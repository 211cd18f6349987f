import { isIPv4, isIPv6, BlockList, isIP } from 'node:net'
import type { SystemScope } from './scope.ts'

const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * The part of an address that counts as one caller: an IPv4 address, or the /64 of an IPv6 address (one household or
 * machine).
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const [head = '', tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const zeros = Array<string>(GROUPS - before.length - after.length).fill('0')
  return `${[...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':')}::/64`
}

/** Whether an address is the machine's own. */
export function isLoopback(address: string): boolean {
  return isIPv4(address) ? address.startsWith('127.') : address === '::1'
}

/** The caller's network as a keyed hash, for counters and rows. Nobody can read the address from it. */
export function addressKey({ secrets, origin }: Pick<SystemScope, 'secrets' | 'origin'>): string {
  return secrets.sign(Buffer.from(networkOf(origin?.ip ?? '')), 'network address').toString('base64url')
}

export function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = isIP(address)
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}

/** Returns a function that says whether an address is in one of the CIDR ranges, IPv4 or IPv6. */
export function cidrMatcher(ranges: string[]): (address: string) => boolean {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    lists[family].addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
    const family = isIP(plain) === 4 ? 'ipv4' : isIP(plain) === 6 ? 'ipv6' : null
    return family !== null && lists[family].check(plain, family)
  }
}
