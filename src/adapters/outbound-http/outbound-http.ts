import { Agent, type Dispatcher } from 'undici'
import {
  BlockedUrlError,
  OutboundError,
  type OutboundAnswer,
  type OutboundHttpPort,
  type OutboundRequest,
} from '../../platform/ports/ports.ts'
import { outboundError } from './failures.ts'
import { bytesReadBefore, createGuard, type Guard, type GuardOptions } from './guard.ts'
import { createFileReader } from './files.ts'

export interface OutboundOptions extends GuardOptions {
  /** In development a page may come from other ports of addresses in `allowCidrs`. */
  development?: boolean
}

export interface OutboundHttp extends OutboundHttpPort {
  /** For other adapters. It dials only addresses that tenants may reach. */
  agent: Dispatcher
  close(): Promise<void>
}

const READ_AT_MOST = 64 * 1024
const KEEP = 2 * 1024

/**
 * HTTP to addresses that tenants choose. A name is resolved once, refused if any of its addresses is not public, and
 * dialled at the checked address. The connected socket is checked again.
 */
export function createOutboundHttp(options: OutboundOptions): OutboundHttp {
  const guard = createGuard(options)
  const agent = new Agent({
    // For each origin. Tenants share hosts, and the caller limits the requests in flight.
    connections: 1_024,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 120_000,
    maxResponseSize: READ_AT_MOST,
    connect: guard.connector(),
  })
  // Each of its requests has a connection of its own.
  const fresh = new Agent({ maxResponseSize: READ_AT_MOST, connect: guard.connector() })
  const files = createFileReader(guard, options.development ?? false)

  return {
    agent,
    async check(url) {
      const { hostname, protocol } = parseUrl(url)
      if (protocol !== 'http:' && protocol !== 'https:') throw new BlockedUrlError()
      try {
        await guard.addressesOf(hostname)
      } catch (error) {
        // A name that has no address yet is accepted. Each attempt looks it up and checks it again.
        if (error instanceof BlockedUrlError) throw error
      }
    },
    dialled: (url) => guard.dialled(parseUrl(url)),
    post: async (request) => post({ agent, fresh }, request, guard),
    page: (request) => files.page(request),
    picture: (request) => files.picture(request),
    async close() {
      await Promise.all([agent.destroy(), fresh.destroy(), files.close()])
    },
  }
}

function parseUrl(url: string): URL {
  try {
    return new URL(url)
  } catch {
    throw new BlockedUrlError()
  }
}

/**
 * A complete status line is an answer, however its body ends. A reused connection that closes before a byte of the
 * answer is tried once more on a new one, because the target may have closed it while the request was on its way.
 */
function post(
  { agent, fresh }: { agent: Agent; fresh: Agent },
  request: OutboundRequest,
  { reasonOf, dialled }: Guard,
): Promise<OutboundAnswer> {
  const url = parseUrl(request.url)
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null
    let settled = false
    let triedAgain = false
    let status = 0
    let retryAfter: string | null = null
    let answered: OutboundAnswer['headers'] = {}
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
      settle(() =>
        resolve({
          status,
          retryAfter,
          headers: answered,
          address: dialled(url),
          excerpt: Buffer.concat(kept).subarray(0, KEEP).toString('utf8'),
        }),
      )
    const fail = (error: unknown) => settle(() => reject(outboundError(error, reasonOf)))
    // One deadline for everything: resolving, connecting, and a body that arrives slowly.
    const timer = setTimeout(() => {
      if (isDelivered(status)) answer()
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
        answered = headers
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
        if (status !== 0) return answer()
        if (triedAgain || settled || !wasReused(error)) return fail(error)
        triedAgain = true
        dispatch(fresh)
      },
      onRequestUpgrade(_controller, statusCode, _headers, socket) {
        socket.destroy()
        fail(new OutboundError('protocol', `the target answered ${statusCode} and changed the protocol`))
      },
    }
    const dispatch = (through: Agent) => {
      try {
        through.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method: 'POST',
            headers: request.headers,
            body: request.body,
            reset: through === fresh,
            // The deadline above applies. A second clock of the same length would sometimes fire first.
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          handler,
        )
      } catch (error) {
        fail(error)
      }
    }
    dispatch(agent)
  })
}

function isDelivered(status: number): boolean {
  return status >= 200 && status < 300
}

/** Whether a connection that closed had brought an answer before. */
function wasReused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { socket } = error as { socket?: { bytesRead?: number } }
  return (socket?.bytesRead ?? bytesReadBefore(error)) > 0
}
