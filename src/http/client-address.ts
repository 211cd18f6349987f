import { isIP } from 'node:net'
import { cidrMatcher } from '../platform/config.ts'

/**
 * The caller's address: the socket's, or the nearest hop of `X-Forwarded-For` that is no trusted
 * proxy, read from the right, because only what our own proxies appended can be believed.
 */
export function clientAddress(socketAddress: string, forwardedFor: string | undefined, trusted: (address: string) => boolean): string {
  let address = plain(socketAddress)
  if (!trusted(address) || forwardedFor === undefined) return address
  for (const hop of forwardedFor.split(',').reverse()) {
    const next = plain(hop.trim())
    if (!isIP(next)) return address
    address = next
    if (!trusted(address)) return address
  }
  return address
}

export function trustedProxies(ranges: string[]): (address: string) => boolean {
  return cidrMatcher(ranges)
}

function plain(address: string): string {
  const bare = address.startsWith('[') ? address.slice(1, address.indexOf(']')) : address
  return bare.toLowerCase().startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare
}
