import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'

interface HostileBehaviour {
  /** The events on the socket after a request's head. */
  act(socket: Socket, privateUrl: string): void
  ends: 'delivered' | RegExp
  holds?: true
}

const SLOW = /no complete answer within 15 s/
// 256 MB of zeros.
const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024))
const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`

/** Endpoints that misbehave in plain HTTP. Whether a delivery succeeds is told by the status alone. */
export const BEHAVIOURS: Record<string, HostileBehaviour> = {
  hangs: { act: () => {}, ends: SLOW, holds: true },
  'drips its head': {
    act(socket) {
      socket.write('HTTP/1.1 200 OK\r\nx-drip: ')
      repeat(socket, '.')
    },
    ends: SLOW,
    holds: true,
  },
  'drips its body': {
    act(socket) {
      socket.write(head('200 OK', 'transfer-encoding: chunked'))
      repeat(socket, '1\r\n.\r\n')
    },
    ends: SLOW,
    holds: true,
  },
  'only hints': {
    act: (socket) => repeat(socket, head('103 Early Hints', 'link: </style.css>')),
    ends: SLOW,
    holds: true,
  },
  'redirects with 302': redirecting('302 Found'),
  'redirects with 307': redirecting('307 Temporary Redirect'),
  'redirects with 308': redirecting('308 Permanent Redirect'),
  'streams without end': {
    act(socket) {
      socket.write(head('200 OK', 'transfer-encoding: chunked'))
      flood(socket, chunk)
    },
    ends: 'delivered',
  },
  'fails with a stream without end': {
    act(socket) {
      socket.write(head('500 No', 'transfer-encoding: chunked'))
      flood(socket, chunk)
    },
    ends: /HTTP 500/,
  },
  'sends headers without end': {
    act(socket) {
      socket.write('HTTP/1.1 200 OK\r\n')
      flood(socket, `x-more: ${'x'.repeat(4_096)}\r\n`)
    },
    ends: /not valid HTTP/,
  },
  'bombs with gzip': {
    act(socket) {
      socket.write(head('200 OK', 'content-encoding: gzip', `content-length: ${bomb.length}`))
      socket.write(bomb)
    },
    ends: 'delivered',
  },
  resets: { act: (socket) => void socket.resetAndDestroy(), ends: /closed before an answer/ },
  'resets within its body': {
    act: (socket) => void socket.write(`${head('200 OK', 'content-length: 100')}part`, () => socket.resetAndDestroy()),
    ends: 'delivered',
  },
  'answers 101': {
    act: (socket) => void socket.write(head('101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket')),
    ends: /changed the protocol|not valid HTTP|closed before/,
  },
  'answers with noise': {
    act: (socket) => void socket.write('\0\x01\x02 noise\r\n\r\n'),
    ends: /not valid HTTP|the request failed/,
  },
  'answers 500 and closes': {
    act: (socket) => void socket.end(head('500 No', 'connection: close', 'content-length: 0')),
    ends: /HTTP 500/,
  },
}

function head(status: string, ...headers: string[]): string {
  return `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\n\r\n`
}

function redirecting(status: string): HostileBehaviour {
  return {
    act: (socket, privateUrl) => void socket.write(head(status, `location: ${privateUrl}`, 'content-length: 0')),
    ends: /redirects are not followed/,
  }
}

function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 200)
  socket.on('close', () => clearInterval(timer))
}

// As fast as it is read, for ever.
function flood(socket: Socket, text: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', more)
  more()
}
