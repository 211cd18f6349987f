import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monotonicMs } from './processes.ts'

// A tenant's endpoint in a process of its own. The path says how it behaves; `/timed` also notes how long
// after the event's own time it was reached, `/stamped` how long after its submission was sent.
let received = 0
const receivedAt = new Map<string, number>()
let firstAtMs: number | null = null
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
  stamped(request, response) {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
    request.on('end', () => {
      latencies.push(monotonicMs() - Number(/"sent_at":([\d.]+)/.exec(body)?.[1]))
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
  const name = request.url?.split('/')[1] ?? ''
  const behave = BEHAVIOURS[name]
  received += 1
  receivedAt.set(name, (receivedAt.get(name) ?? 0) + 1)
  firstAtMs ??= monotonicMs()
  if (behave) return behave(request, response)
  request.resume()
  request.on('end', () => answer(response, 200))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (question) => {
  if (question === 'received') return process.send?.({ received, at: Object.fromEntries(receivedAt) })
  if (question === 'first') {
    process.send?.({ firstAtMs })
    firstAtMs = null
    return
  }
  process.send?.({ latencies })
  latencies = []
})
process.on('disconnect', () => process.exit())
