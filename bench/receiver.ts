import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A tenant's endpoint in a process of its own: it reads each body and answers 200.
let received = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    received += 1
    response.writeHead(200, { 'content-length': 2 }).end('ok')
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', () => process.send?.({ received }))
process.on('disconnect', () => process.exit())
