import { isIP, type Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { buildConnector } from 'undici'
import { cidrMatcher } from '../../platform/networks.ts'
import { BlockedUrlError } from '../../platform/ports/ports.ts'
import { isReachable, unmapped } from './private-addresses.ts'
import { createNames } from './host-names.ts'
import { codeOf, connectReason, lookupReason } from './failures.ts'

export interface GuardOptions {
  allowCidrs: string[]
  /** Tests replace it to choose the answers for names. */
  resolve?: (host: string) => Promise<string[]>
  /** Tests replace it to avoid public addresses. */
  dial?: buildConnector.connector
}

/** Says whether a port may be dialled. `admitted`: the operator allowed all addresses of the host. */
export type PortRule = (port: number, admitted: boolean) => boolean

export interface Guard {
  /** The addresses of a host. @throws BlockedUrlError if any is not allowed. */
  addressesOf(host: string): Promise<string[]>
  /** Connects for an agent: resolved once, checked, and dialled at the checked address. */
  connector(portRule?: PortRule): buildConnector.connector
  /** The address of the last connection to a URL’s host, while it is remembered. */
  dialled(url: URL): string | null
  /** The public part of an error on the way to public addresses. */
  reasonOf(error: Error): string | null
}

const CONNECT_MS = 10_000
const UNREACHABLE = /^E(HOST|NET)UNREACH$/
const HOSTS_REMEMBERED = 10_000
// Names of cloud metadata services, wherever they resolve to.
const BLOCKED_NAMES = /^(localhost|.*\.localhost|metadata|metadata\.google\.internal|instance-data(\.ec2\.internal)?)$/

const bytesRead = new WeakMap<Error, number>()

/** How many bytes had come over a connection when this error ended it. */
export function bytesReadBefore(error: Error): number {
  return bytesRead.get(error) ?? 0
}

export function createGuard(options: GuardOptions): Guard {
  const allowed = cidrMatcher(options.allowCidrs)
  const loopbackAllowed = allowed('127.0.0.1')
  const resolve = options.resolve ?? createNames()
  const dial = options.dial ?? buildConnector({ timeout: CONNECT_MS })
  const reasons = new WeakMap<Error, string>()
  const dialled = new LRUCache<string, string>({ max: HOSTS_REMEMBERED })
  const explained = (error: Error, reason: string | null) => {
    if (reason !== null) reasons.set(error, reason)
    return error
  }

  async function addressesOf(host: string): Promise<string[]> {
    const name = host
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '')
      .toLowerCase()
    if (isIP(name)) return isReachable(name, allowed) ? [name] : refuse()
    if (BLOCKED_NAMES.test(name) && !(loopbackAllowed && /(^|\.)localhost$/.test(name))) return refuse()
    const answers = await resolve(name)
    if (answers.length === 0 || !answers.every((answer) => isReachable(answer, allowed))) return refuse()
    return answers
  }

  const connect = (portRule: PortRule, target: buildConnector.Options, done: buildConnector.Callback) => {
    addressesOf(target.hostname).then(
      (addresses) => {
        const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
        if (!portRule(port, addresses.every(allowed))) return done(new BlockedUrlError(), null)
        const isPublic = addresses.every((each) => isReachable(each, () => false))
        const servername = target.servername || (isIP(target.hostname) ? undefined : target.hostname.replace(/\.$/, ''))
        const [first = ''] = addresses
        const other = addresses.find((address) => isIP(address) !== isIP(first))
        const dialAt = (address: string) => {
          dialled.set(`${target.hostname}:${port}`, address)
          dial({ ...target, hostname: address, ...(servername && { servername }) }, (error, socket) => {
            // A machine may have a way to the addresses of one kind alone.
            if (error && address === first && other && UNREACHABLE.test(codeOf(error))) return dialAt(other)
            connected(error, socket)
          })
        }
        const connected = (error: Error | null, socket: Socket | null) => {
          if (error || !socket)
            return done(
              explained(error ?? new Error('no socket'), isPublic && error ? connectReason(codeOf(error)) : null),
              null,
            )
          // The connected address decides, not the requested one.
          if (!isReachable(unmapped((socket as Socket).remoteAddress ?? ''), allowed)) {
            socket.destroy()
            return done(new BlockedUrlError(), null)
          }
          socket.on('error', (failure) => bytesRead.set(failure, socket.bytesRead))
          done(null, socket)
        }
        dialAt(first)
      },
      (error: Error) => done(explained(error, lookupReason(codeOf(error), target.hostname.replace(/\.$/, ''))), null),
    )
  }

  return {
    addressesOf,
    connector:
      (portRule = () => true) =>
      (target, done) =>
        connect(portRule, target, done),
    reasonOf: (error) => reasons.get(error) ?? null,
    dialled: ({ hostname, port, protocol }) =>
      dialled.get(`${hostname}:${Number(port) || (protocol === 'https:' ? 443 : 80)}`) ?? null,
  }
}

function refuse(): never {
  throw new BlockedUrlError()
}
