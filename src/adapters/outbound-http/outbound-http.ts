import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { cidrMatcher } from '../../platform/cidr.ts'
import {
  BlockedUrlError,
  OutboundError,
  type OutboundAnswer,
  type OutboundHttpPort,
  type OutboundRequest,
} from '../../platform/ports.ts'
import { isReachable, unmapped } from './addresses.ts'
import { connectReason, lookupReason } from './public-reasons.ts'

export interface OutboundOptions {
  allowCidrs: string[]
  /** Tests replace it to choose the answers for names. */
  resolve?: (host: string) => Promise<string[]>
  /** Tests replace it to avoid public addresses. */
  dial?: buildConnector.connector
}

export interface OutboundHttp extends OutboundHttpPort {
  /** For other adapters. It dials only addresses that tenants may reach. */
  agent: Dispatcher
  close(): Promise<void>
}

const READ_AT_MOST = 64 * 1024
const KEEP = 2 * 1024
const CONNECT_MS = 10_000
// Names of cloud metadata services, wherever they resolve to.
const BLOCKED_NAMES = /^(localhost|.*\.localhost|metadata|metadata\.google\.internal|instance-data(\.ec2\.internal)?)$/

/**
 * HTTP to addresses that tenants choose. A name is resolved once, refused if any of its addresses is not public, and
 * dialled at the checked address. The connected socket is checked again.
 */
export function createOutboundHttp(options: OutboundOptions): OutboundHttp {
  const allowed = cidrMatcher(options.allowCidrs)
  const loopbackAllowed = allowed('127.0.0.1')
  const resolve = options.resolve ?? resolveAll
  const dial = options.dial ?? buildConnector({ timeout: CONNECT_MS })
  // The public part of errors on the way to public addresses.
  const reasons = new WeakMap<Error, string>()
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

  const agent = new Agent({
    // For each origin. Tenants share hosts, and the caller limits the requests in flight.
    connections: 1_024,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 120_000,
    maxResponseSize: READ_AT_MOST,
    connect: (target: buildConnector.Options, done: buildConnector.Callback) => {
      addressesOf(target.hostname).then(
        (addresses) => {
          const [address = ''] = addresses
          const isPublic = addresses.every((each) => isReachable(each, () => false))
          const servername =
            target.servername || (isIP(target.hostname) ? undefined : target.hostname.replace(/\.$/, ''))
          dial({ ...target, hostname: address, ...(servername && { servername }) }, (error, socket) => {
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
            done(null, socket)
          })
        },
        (error: Error) => done(explained(error, lookupReason(codeOf(error), target.hostname.replace(/\.$/, ''))), null),
      )
    },
  })

  return {
    agent,
    async check(url) {
      const { hostname, protocol } = parseUrl(url)
      if (protocol !== 'http:' && protocol !== 'https:') throw new BlockedUrlError()
      try {
        await addressesOf(hostname)
      } catch (error) {
        // A name that has no address yet is accepted. Each attempt looks it up and checks it again.
        if (error instanceof BlockedUrlError) throw error
      }
    },
    post: async (request) => post(agent, request, (error) => reasons.get(error) ?? null),
    close: () => agent.destroy(),
  }
}

function refuse(): never {
  throw new BlockedUrlError()
}

function parseUrl(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw new BlockedUrlError()
  }
}

async function resolveAll(host: string): Promise<string[]> {
  const answers = await systemLookup(host, { all: true, verbatim: true })
  return answers.map((answer) => answer.address)
}

function post(
  agent: Agent,
  request: OutboundRequest,
  reasonOf: (error: Error) => string | null,
): Promise<OutboundAnswer> {
  const url = parseUrl(request.url)
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null
    let settled = false
    let status = 0
    let retryAfter: string | null = null
    let read = 0
    const kept: Buffer[] = []

    const settle = (act: () => void) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      request.signal?.removeEventListener('abort', onAbort)
      act()
    }
    const answer = () =>
      settle(() => resolve({ status, retryAfter, excerpt: Buffer.concat(kept).subarray(0, KEEP).toString('utf8') }))
    const fail = (error: unknown) => settle(() => reject(outboundError(error, reasonOf)))
    // One deadline for everything: resolving, connecting, and a body that arrives slowly.
    const timer = setTimeout(() => {
      fail(new OutboundError('timeout', `no complete answer within ${request.timeoutMs / 1000} s`))
      controller?.abort(new Error('timeout'))
    }, request.timeoutMs)
    const onAbort = () => {
      fail(new OutboundError('aborted', 'the request was given up'))
      controller?.abort(new Error('aborted'))
    }
    if (request.signal?.aborted) return onAbort()
    request.signal?.addEventListener('abort', onAbort, { once: true })

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(next) {
        controller = next
        if (settled) next.abort(new Error('too late'))
      },
      onResponseStart(_controller, statusCode, headers) {
        status = statusCode
        const header = headers['retry-after']
        retryAfter = typeof header === 'string' ? header : null
      },
      onResponseData(_controller, chunk) {
        if (read < KEEP) kept.push(Buffer.from(chunk))
        read += chunk.byteLength
        if (read < READ_AT_MOST) return
        // The status decides, and it has arrived. The rest is not worth a connection.
        answer()
        controller?.abort(new Error('the answer is too long'))
      },
      onResponseEnd: answer,
      onResponseError(_controller, error) {
        if (status !== 0 && (error as { code?: string }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return answer()
        fail(error)
      },
      onRequestUpgrade(_controller, statusCode, _headers, socket) {
        socket.destroy()
        fail(new OutboundError('protocol', `the target answered ${statusCode} and changed the protocol`))
      },
    }
    try {
      agent.dispatch(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: request.headers,
          body: request.body,
          // The deadline above applies. A second clock of the same length would sometimes fire first.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      )
    } catch (error) {
      fail(error)
    }
  })
}

const MESSAGES: Array<[RegExp, string]> = [
  [/^ENOTFOUND|^EAI_/, 'the name does not resolve'],
  [/^ECONNREFUSED/, 'the connection was refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)/, 'the connection was closed before an answer came'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)/, 'the connection took too long'],
  [/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/, 'the TLS certificate was not accepted'],
  [/^(EHOSTUNREACH|ENETUNREACH)/, 'the host cannot be reached'],
  [/^HPE_|^UND_ERR_|^HTTPParserError/, 'the answer is not valid HTTP'],
]

// Only our own words leave this folder, because an errno's text contains addresses.
function outboundError(error: unknown, reasonOf: (error: Error) => string | null): Error {
  if (error instanceof BlockedUrlError || error instanceof OutboundError) return error
  const code = codeOf(error)
  const message = MESSAGES.find(([pattern]) => pattern.test(code))?.[1] ?? 'the request failed'
  return new OutboundError('network', message, error instanceof Error ? reasonOf(error) : null)
}

function codeOf(error: unknown): string {
  // An answer that is not HTTP has no code.
  return error instanceof Error ? ('code' in error ? String(error.code) : error.name) : ''
}
