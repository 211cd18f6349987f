import { connect, type Socket } from 'node:net'

// Hostile clients in a process of their own: slow ones that stay as long as the server lets them, uploads that go on
// past the limit, and connections that send requests without waiting for an answer.
const [host = '', port = '', path = ''] = process.argv.slice(2)
const DRIP_MS = 1_000
// Below the limit, so that only its slowness is wrong.
const SLOW_BODY = 100_000
const UPLOAD = 8 * 1024 * 1024
const REQUESTS = Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(40_000))
const piece = Buffer.alloc(64 * 1024, 'x')

export interface Attack {
  slow: number
  uploads: number
  uploadsPerSecond: number
  /** Connections that send requests without waiting for an answer, and do so again once they are ended. */
  pipelines: number
}

export interface Damage {
  /** Slow connections that are open now. */
  open: number
  /** Slow connections that the server ended. */
  cut: number
  refused413: number
  /** Uploads that the server let through to their end, or answered otherwise. */
  accepted: number
  ended: number
  /** Connections that did not wait for answers and read a 503. */
  pipelines503: number
}

const damage: Damage = { open: 0, cut: 0, refused413: 0, accepted: 0, ended: 0, pipelines503: 0 }

function slowClient(n: number): void {
  const socket = connect(Number(port), host)
  const dripping = n % 2 === 0 ? 'x' : ' '
  socket.on('connect', () => {
    damage.open += 1
    // Every other one never ends its head, the rest never end their bodies.
    socket.write(
      n % 2 === 0 ? `POST ${path} HTTP/1.1\r\nhost: x\r\nx-slow: ` : `${head(`content-length: ${SLOW_BODY}`)}{`,
    )
  })
  const timer = setInterval(() => socket.write(dripping), DRIP_MS)
  socket.on('error', () => {})
  socket.on('data', () => {})
  socket.on('close', () => {
    clearInterval(timer)
    damage.open -= 1
    damage.cut += 1
    setTimeout(slowClient, DRIP_MS, n)
  })
}

function upload(n: number): void {
  const socket = connect(Number(port), host)
  const chunked = n % 2 === 0
  let answer = ''
  socket.on('connect', () => {
    socket.write(head(chunked ? 'transfer-encoding: chunked' : `content-length: ${UPLOAD}`))
    pour(socket, chunked)
  })
  socket.on('data', (bytes: Buffer) => (answer += bytes.toString('latin1')))
  socket.on('error', () => {})
  socket.on('close', () => {
    damage.ended += 1
    if (answer.startsWith('HTTP/1.1 413')) damage.refused413 += 1
    else if (answer !== '') damage.accepted += 1
  })
}

function pipeline(): void {
  const socket = connect(Number(port), host)
  let last = ''
  socket.on('connect', () => socket.write(REQUESTS))
  socket.on('data', (bytes: Buffer) => (last = (last + bytes.toString('latin1')).slice(-2_000)))
  socket.on('error', () => {})
  socket.on('close', () => {
    if (last.includes('HTTP/1.1 503')) damage.pipelines503 += 1
    setTimeout(pipeline, DRIP_MS)
  })
}

function pour(socket: Socket, chunked: boolean): void {
  let sent = 0
  const more = () => {
    while (!socket.destroyed && sent < UPLOAD) {
      sent += piece.length
      if (chunked) socket.write(`${piece.length.toString(16)}\r\n`)
      const ready = socket.write(piece)
      if (chunked) socket.write('\r\n')
      if (!ready) return
    }
  }
  socket.on('drain', more)
  more()
}

function head(framing: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`
}

process.on('message', (order: Attack | 'report') => {
  if (order === 'report') return void process.send?.(damage)
  for (let n = 0; n < order.slow; n++) setTimeout(slowClient, n, n)
  for (let n = 0; n < order.uploads; n++) setTimeout(upload, (n / order.uploadsPerSecond) * 1000, n)
  for (let n = 0; n < order.pipelines; n++) setTimeout(pipeline, n)
})
process.on('disconnect', () => process.exit())
