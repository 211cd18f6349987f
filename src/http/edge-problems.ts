import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem } from './problem.ts'

/** The answer to a request that the application never sees, because its first line or its Host cannot be read. */
export function unreadableRequest(): Response {
  const { status, headers, body } = written(
    new Problem(400, 'invalid_request', { detail: 'The request target or the Host header cannot be read. Send a path that begins with / and one valid Host.' }),
  )
  return new Response(body, { status, headers })
}

/** Answers with problems where Node's server would send a bare status line: broken or oversized heads, slow requests, CONNECT. */
export function answerEdgeProblems(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Part of an answer may be on its way already; the rest of it would be garbage.
    const current = (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) return void socket.destroy()
    refuse(socket, problemOf(error.code))
  })
  server.on('checkExpectation', (_request, response) => {
    const { status, headers, body } = written(
      new Problem(417, 'expectation_failed', { detail: 'The only expectation that can be met is `Expect: 100-continue`. Leave the header out.' }),
    )
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' }).end(body)
  })
  server.on('connect', (_request, socket) =>
    refuse(socket, new Problem(405, 'method_not_allowed', { detail: 'This server is no proxy. Send the request to the path itself.' })),
  )
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(431, 'headers_too_large', { detail: 'The headers may hold at most 16 KiB. Send fewer or shorter ones.' })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem(408, 'request_timeout', { detail: 'The request took too long to arrive. Send it again.' })
  return new Problem(400, 'invalid_request', { detail: 'This is no valid HTTP/1.1 request.' })
}

function refuse(socket: Duplex, problem: Problem): void {
  const { status, headers, body } = written(problem)
  const head = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  socket.on('error', () => {})
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'), () => socket.destroy())
}

function written(problem: Problem): { status: number; headers: Record<string, string>; body: string } {
  const requestId = `req_${randomUUID()}`
  return {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' },
    body: JSON.stringify(problem.toJSON(requestId)),
  }
}
