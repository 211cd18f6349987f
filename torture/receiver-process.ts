import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Received } from './receiver.ts'

// A tenant's endpoint in a process of its own: it logs whatever arrives and answers 200 after `?ms=`.
const log: Received[] = []
let told = 0
const server = createServer((request, response) => {
  const hash = createHash('sha256')
  const at = Date.now()
  const query = new URL(request.url ?? '/', 'http://receiver').searchParams
  request.on('data', (chunk: Buffer) => hash.update(chunk))
  request.on('end', () => {
    log.push({
      id: String(request.headers['webhook-id'] ?? ''),
      hash: hash.digest('base64'),
      at,
      path: request.url ?? '',
    })
    setTimeout(() => response.writeHead(200, { 'content-length': 2 }).end('ok'), Number(query.get('ms') ?? 0))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, process.argv[2], () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => {
  process.send?.(log.slice(told))
  told = log.length
})
process.on('disconnect', () => process.exit())
