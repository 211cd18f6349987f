import { isIPv4, isIPv6 } from 'node:net'
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
