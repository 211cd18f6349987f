import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The exact bytes. */
  body: string
}

export interface Receiver {
  url: string
  requests: ReceivedRequest[]
  /** Sets the answer to later requests. Default: 200. */
  answer(respond: (request: ReceivedRequest, response: ServerResponse) => void): void
  close(): Promise<void>
}

/** A tenant's endpoint on 127.0.0.1 that keeps all requests. */
export async function startReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  let respond: (request: ReceivedRequest, response: ServerResponse) => void = (_request, response) =>
    void response.writeHead(200).end('ok')
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      }
      requests.push(received)
      respond(received, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    requests,
    answer(next) {
      respond = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
