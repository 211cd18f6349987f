import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

// A tenant's endpoint in a process of its own. The path says how it behaves; `/timed` also notes how long
// after the event's own time it was reached.
let received = 0
let latencies: number[] = []

const BEHAVIOURS: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  timed(request, response) {
    let head = ''
    request.on('data', (chunk: Buffer) => {
      if (head === '') head = chunk.toString('latin1', 0, 200)
    })
    request.on('end', () => {
      latencies.push(Date.now() - Date.parse(/"createdAt":"([^"]+)"/.exec(head)?.[1] ?? ''))
      answer(response, 200)
    })
  },
  hang: (request) => void request.resume(),
  fail(request, response) {
    request.resume()
    request.on('end', () => answer(response, 500))
  },
  drip(request, response) {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/plain' })
    const timer = setInterval(() => response.write('.'), 1000)
    response.on('close', () => clearInterval(timer))
  },
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': 2 }).end('ok')
}

const server = createServer((request, response) => {
  const behave = BEHAVIOURS[request.url?.split('/')[1] ?? '']
  received += 1
  if (behave) return behave(request, response)
  request.resume()
  request.on('end', () => answer(response, 200))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (question) => {
  if (question === 'received') return process.send?.({ received })
  process.send?.({ latencies })
  latencies = []
})
process.on('disconnect', () => process.exit())
