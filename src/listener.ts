import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { App } from './app.ts'
import { answerEdgeProblems, unreadableRequest } from './http/edge-problems.ts'
import { createWholeServer } from './http/whole-bodies.ts'

/** Node's server in front of an application: whatever it can still answer by itself is a problem, too. */
export function createHttpServer(app: Pick<App, 'fetch'>, options: ServerOptions = {}): Server {
  const answer = getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: unreadableRequest })
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // Node would refuse this by itself, without a body.
    if (incoming.httpVersion === '1.1' && incoming.headers.host === undefined) incoming.headers.host = ' '
    return answer(incoming, outgoing)
  }
  const server = createWholeServer({ ...options, requireHostHeader: false }, listener)
  answerEdgeProblems(server)
  return server
}
