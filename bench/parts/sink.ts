import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

// A local SMTP server in a process of its own: takes every message, reads it, counts it and forgets it.
const received = { messages: 0, bytes: 0 }
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  logger: false,
  onData(stream, _session, done) {
    stream.on('data', (chunk: Buffer) => (received.bytes += chunk.length))
    stream.on('end', () => {
      received.messages += 1
      done()
    })
  },
})
server.listen(0, '127.0.0.1')
await once(server.server, 'listening')
process.on('message', () => process.send?.(received))
process.send?.({ port: (server.server.address() as AddressInfo).port })
process.on('disconnect', () => process.exit())
