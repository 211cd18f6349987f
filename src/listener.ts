import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { App } from './app.ts'
import { answerEdgeProblems, refuseHost, unreadableRequest } from './http/problems/edge-problems.ts'
import { createWholeServer } from './http/bodies/whole-bodies.ts'

/**
 * How long a slow client may take. Node's defaults let it hold a socket for minutes. Frequent checks end few at a time,
 * because ending a thousand at once delayed all others by 70 ms. A body that is read slowly while others wait ends in
 * `http/bodies/`.
 */
export const PATIENCE: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 100,
}

/** Node's server in front of an application. Answers that Node makes itself are problems too. */
export function createHttpServer(app: Pick<App, 'fetch'>, options: ServerOptions = {}): Server {
  const answer = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: unreadableRequest })
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const hosts = incoming.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
    // RFC 9112 section 3.2. Node keeps the first of several, and refuses a request without one with an empty body.
    if (hosts > 1 || (hosts === 0 && incoming.httpVersion === '1.1')) return refuseHost(outgoing)
    return answer(incoming, outgoing)
  }
  const server = createWholeServer({ ...options, requireHostHeader: false }, listener)
  answerEdgeProblems(server)
  return server
}
