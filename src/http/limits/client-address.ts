import { isIP } from 'node:net'
import { cidrMatcher } from '../../platform/networks.ts'

/**
 * The caller's address: the socket's, or the rightmost hop of `X-Forwarded-For` that is not a trusted proxy. Only the
 * entries that our own proxies appended can be trusted.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trusted: (address: string) => boolean,
): string {
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

const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i

interface Forwarded {
  host: string | undefined
  forwardedProto: string | undefined
  forwardedHost: string | undefined
}

/**
 * The scheme and host that the caller used: those of the request, or those that a trusted proxy forwarded. The last
 * entry of a list counts, because our own proxy wrote it.
 */
export function callerBase(
  socketAddress: string,
  request: Forwarded & { secure: boolean },
  trusted: (address: string) => boolean,
): string {
  const own = { proto: request.secure ? 'https' : 'http', host: request.host ?? 'localhost' }
  if (!trusted(plain(socketAddress))) return `${own.proto}://${own.host}`
  const proto = last(request.forwardedProto)?.toLowerCase()
  const host = last(request.forwardedHost)
  return `${proto === 'http' || proto === 'https' ? proto : own.proto}://${host !== undefined && HOST.test(host) ? host : own.host}`
}

function last(list: string | undefined): string | undefined {
  return list?.split(',').at(-1)?.trim()
}

export function trustedProxies(ranges: string[]): (address: string) => boolean {
  return cidrMatcher(ranges)
}

// Some proxies write the port as well: `203.0.113.9:1234`, `[2001:db8::1]:1234`.
function plain(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address) ?? []
  const bare = bracketed ?? address.replace(/^([\d.]{7,15}):\d{1,5}$/, '$1')
  return bare.toLowerCase().startsWith('::ffff:') && isIP(bare.slice(7)) === 4 ? bare.slice(7) : bare
}
