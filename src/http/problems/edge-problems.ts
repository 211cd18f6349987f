import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from './problem.ts'

/** Answers a request with an unreadable first line or Host, which the application never sees. */
export function unreadableRequest(): Response {
  const { status, headers, body } = written(
    new Problem(400, 'invalid_request', {
      detail:
        'The server cannot read the request target or the Host header. Send a path that begins with / and one valid ' +
        'Host.',
    }),
  )
  return new Response(body, { status, headers })
}

/** Answers a request that has no Host header or several. */
export function refuseHost(response: ServerResponse): void {
  answer(
    response,
    new Problem(400, 'invalid_request', { detail: 'A request needs exactly one Host header. Send one.' }),
  )
}

/** Answers a chunked body whose frames outweigh it. */
export function refuseTinyChunks(response: ServerResponse): void {
  answer(
    response,
    new Problem(400, 'invalid_request', {
      detail: 'The chunks of this body are too small. Send larger ones, or the whole with `Content-Length`.',
    }),
  )
}

/** Answers a network that leaves many answers unread. */
export function refuseUnread(response: ServerResponse): void {
  answer(
    response,
    new Problem(503, 'busy', {
      detail: 'Your network has many answers of this server that it has not read. Read or close them, then try again.',
      retryAfter: 5,
    }),
  )
}

/** Answers a connection that sends many requests without waiting for their answers. */
export function refusePipelined(response: ServerResponse): void {
  answer(
    response,
    new Problem(503, 'busy', {
      detail: 'Too many requests of this connection wait. Read the answers to earlier ones, then send it again.',
      retryAfter: 1,
    }),
  )
}

/** Answers a body that waits while the server needs its room for others. */
export function refuseHeldBody(response: ServerResponse): void {
  answer(
    response,
    new Problem(408, 'request_timeout', {
      detail: 'This body came too slowly while the server had no more room for unfinished ones. Send it again.',
    }),
  )
}

/** Sends problems in place of Node's bare status lines: for broken or oversized heads, slow requests and CONNECT. */
export function answerEdgeProblems(server: Server): void {
  const refused = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // More broken input may follow while earlier answers are being sent.
    if (refused.has(socket)) return
    refused.add(socket)
    afterAnswers(socket, () => refuse(socket, problemOf(error.code)))
  })
  server.on('checkExpectation', (_request, response) =>
    answer(
      response,
      new Problem(417, 'expectation_failed', {
        detail: 'This server supports only `Expect: 100-continue`. Leave the header out.',
      }),
    ),
  )
  server.on('connect', (_request, socket) =>
    afterAnswers(socket, () =>
      refuse(
        socket,
        new Problem(405, 'method_not_allowed', {
          detail: 'This server is not a proxy. Send the request to the path itself.',
        }),
      ),
    ),
  )
}

/**
 * Waits for the answers to whole requests. Half an answer to a broken request is cut off, because the rest would be
 * garbage.
 */
function afterAnswers(socket: Duplex, then: () => void): void {
  const current = (socket as { _httpMessage?: ServerResponse | null })._httpMessage
  if (current?.req.complete) current.once('close', () => afterAnswers(socket, then))
  else if (current?.headersSent || !socket.writable) socket.destroy()
  else then()
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(431, 'headers_too_large', {
      detail: 'The headers can have at most 16 KiB. Send fewer or shorter ones.',
    })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem(408, 'request_timeout', { detail: 'The request took too long to arrive. Send it again.' })
  return new Problem(400, 'invalid_request', { detail: 'This is not a valid HTTP/1.1 request.' })
}

function refuse(socket: Duplex, problem: Problem): void {
  const { status, headers, body } = written(problem)
  const head = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  socket.on('error', () => {})
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'), () =>
    socket.destroy(),
  )
}

function answer(response: ServerResponse, problem: Problem): void {
  const { status, headers, body } = written(problem)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }).end(body)
}

function written(problem: Problem): { status: number; headers: Record<string, string>; body: string } {
  const requestId = `req_${randomUUID()}`
  return {
    status: problem.status,
    headers: {
      'Content-Type': 'application/problem+json',
      'X-Request-Id': requestId,
      'X-Content-Type-Options': 'nosniff',
    },
    body: JSON.stringify(problem.toJSON(requestId)),
  }
}
