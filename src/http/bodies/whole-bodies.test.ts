import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { z } from 'zod'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { KIB, MIB, readBody } from './body.ts'
import { systemRoute } from '../routes/route.ts'
import { createWholeServer } from './whole-bodies.ts'

const LIMIT = 300 * KIB
let server: TestServer
let base: string
let begun = 0
/** Then each request takes 5 ms of a clock that stands still otherwise. */
let isSlow = false
beforeAll(async () => {
  const echo = systemRoute({
    method: 'post',
    audit: { none: 'It is a test.' },
    path: '/echo',
    operationId: 'echo',
    summary: 'Says what it was sent',
    tag: 'Test',
    rawBody: { 'application/octet-stream': z.string() },
    bodyLimit: LIMIT,
    response: { status: 200, contentType: 'text/plain' },
    async handler(_system, { c }) {
      begun += 1
      if (isSlow) vi.advanceTimersByTime(5)
      return c.text(Buffer.from(await readBody(c.req.raw, LIMIT)).toString(), 200)
    },
  })
  server = await startTestServer({ extraRoutes: [echo] })
  base = await server.listen()
})
afterAll(() => server.close())
beforeEach(() => {
  begun = 0
})

async function dial(framing: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const answer = once(socket, 'close').then(() => text)
  socket.write(`POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${framing}\r\n\r\n`)
  return { socket, answer }
}

function upload(size: number, chunked: boolean): Promise<Response> {
  const body = chunked ? new Blob(['x'.repeat(size)]).stream() : 'x'.repeat(size)
  return fetch(`${base}/echo`, { method: 'POST', body, ...(chunked && { duplex: 'half' }) } as RequestInit)
}

/** A request of somebody else, after which whatever was sent before it has been read. */
async function meanwhile(): Promise<void> {
  for (let i = 0; i < 3; i++) await (await fetch(`${base}/health`)).text()
}

test('a request begins once its body is here, whose pieces are put together in order', async () => {
  const body = Array.from({ length: 3_000 }, (_, i) => `${i},`).join('')
  const { socket, answer } = await dial(`content-length: ${body.length}`)
  for (let at = 0; at < body.length - 1; at += 777) {
    socket.write(body.slice(at, Math.min(at + 777, body.length - 1)))
    await meanwhile()
  }
  expect(begun).toBe(0)
  socket.write(body.slice(-1))
  expect((await answer).split('\r\n\r\n')[1]).toBe(body)
  expect(begun).toBe(1)
})

test('a body that ends with its connection begins nothing', async () => {
  const { socket, answer } = await dial('content-length: 10')
  socket.write('123456789')
  await meanwhile()
  socket.destroy()
  await answer
  await meanwhile()
  expect(begun).toBe(0)
})

test('what comes after the declared length is no part of the body', async () => {
  const { socket, answer } = await dial('content-length: 4')
  socket.write(`body${'x'.repeat(100)}`)
  expect(await answer).not.toContain('xx')
  expect(begun).toBeLessThanOrEqual(1)
})

test.each([1, 255 * KIB, 257 * KIB, LIMIT, LIMIT + 1, 2 * LIMIT])(
  'a body of %i bytes is taken up to the limit of its route, and no further',
  async (size) => {
    for (const chunked of [false, true]) {
      const answer = await upload(size, chunked)
      if (size > LIMIT) expect(answer.status).toBe(413)
      else expect(await answer.text()).toHaveLength(size)
    }
  },
)

test.each([false, true])(
  'each of 20 uploads past the limit gets the whole 413 while it is still sending, with chunks: %s',
  async (chunked) => {
    for (const size of [2 * LIMIT, 24 * MIB]) {
      for (let i = 0; i < 10; i++) {
        const answer = await upload(size, chunked)
        expect(answer.status).toBe(413)
        expect(await answer.json()).toMatchObject({ code: 'too_large', request_id: answer.headers.get('x-request-id') })
      }
    }
  },
)

test('a client that reads only once it has sent everything gets the whole 413', async () => {
  for (let i = 0; i < 5; i++) {
    const { socket, answer } = await dial(`content-length: ${8 * MIB}`)
    socket.pause()
    await new Promise((sent) => socket.write(Buffer.alloc(8 * MIB), sent))
    socket.resume()
    const [head = '', body = ''] = (await answer).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 413/)
    expect(JSON.parse(body)).toMatchObject({ code: 'too_large' })
  }
})

test('a declared length past the limit is refused before anything of it has come', async () => {
  const { answer } = await dial(`content-length: ${64 * LIMIT}`)
  expect(await answer).toMatch(/^HTTP\/1.1 413/)
})

const CHUNKED = 'transfer-encoding: chunked'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

test('a chunked body begins once it is whole, and a longer one where its limit is known', async () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `line ${i}\n`)
  const { socket, answer } = await dial(CHUNKED)
  for (const line of lines) socket.write(chunk(line))
  await meanwhile()
  expect(begun).toBe(0)
  socket.write(chunk(''))
  expect((await answer).split('\r\n\r\n')[1]).toBe(lines.join(''))
  const long = await upload(290 * KIB, true)
  expect([long.status, (await long.text()).length]).toEqual([200, 290 * KIB])
  expect((await upload(310 * KIB, true)).status).toBe(413)
})

test('a chunked body whose frames outweigh it is refused before it has ended', async () => {
  const { socket, answer } = await dial(CHUNKED)
  // The rest waits until the head has been read, so that its frames are counted.
  await meanwhile()
  socket.write(chunk('x').repeat(10_000))
  expect(await answer).toMatch(/^HTTP\/1.1 400 [^]*The chunks of this body are too small/)
  expect(begun).toBe(0)
})

test('tiny chunks after a large beginning are refused too', async () => {
  const { socket, answer } = await dial(CHUNKED)
  socket.write(chunk('x'.repeat(257 * KIB)))
  await meanwhile()
  for (let n = 0; n < 4; n++) {
    socket.write(chunk('x').repeat(1_000))
    await meanwhile()
  }
  socket.end(chunk(''))
  expect(await answer).toMatch(/^HTTP\/1.1 400 [^]*The chunks of this body are too small/)
})

/** Sends heads at once, on a connection of their own. */
function pipeline(heads: string[]) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const ended = once(socket, 'close')
  socket.write(heads.map((head) => `${head}\r\nhost: x\r\n\r\n`).join(''))
  const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  return { socket, ended, statuses, text: () => text }
}

const health = (n: number) => `GET /health?n=${n} HTTP/1.1`

test('requests of one connection that come together are answered in order, each in a round of its own', async () => {
  let rounds = 0
  const count = () => {
    rounds += 1
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  const { socket, statuses } = pipeline(Array.from({ length: 17 }, (_, n) => health(n)))
  await expect.poll(statuses).toEqual(Array(17).fill(200))
  clearImmediate(turn)
  expect(rounds).toBeGreaterThan(17)
  socket.write(`${health(18)}\r\nhost: x\r\n\r\n`)
  await expect.poll(statuses).toHaveLength(18)
  socket.destroy()
})

test.each([
  ['the eighteenth of many requests', Array.from({ length: 3_000 }, (_, n) => health(n)), 17],
  ['large heads', Array.from({ length: 17 }, (_, n) => `${health(n)}\r\nx-much: ${'x'.repeat(10_000)}`), 4],
])(
  'of %s that come together, Node parses no more than are answered, and the connection ends',
  async (_name, heads, answered) => {
    let parsed = 0
    const note = () => (parsed += 1)
    subscribe('http.server.request.start', note)
    const { ended, statuses, text } = pipeline(heads)
    await ended
    unsubscribe('http.server.request.start', note)
    expect(statuses()).toEqual([...Array<number>(answered).fill(200), 503])
    expect(text()).toMatch(/503 [^]*connection: close[^]*"code":"busy"/i)
    expect(parsed).toBe(answered + 1)
  },
)

test('of many requests of many connections that come together, some begin in each round', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const one = await dial(`content-length: 1000`)
      one.socket.write(Buffer.alloc(999, 'x'))
      return one
    }),
  )
  await meanwhile()
  vi.useFakeTimers({ toFake: ['performance'] })
  isSlow = true
  let most = 0
  let before = begun
  let turn = setImmediate(function look() {
    most = Math.max(most, begun - before)
    before = begun
    turn = setImmediate(look)
  })
  for (const { socket } of sockets) socket.write('x')
  for (const { answer } of sockets) expect(await answer).toMatch(/^HTTP\/1.1 200/)
  clearImmediate(turn)
  isSlow = false
  vi.useRealTimers()
  expect(begun).toBe(40)
  expect(most).toBeLessThanOrEqual(3)
})

test.each([
  ['has left', (socket: Socket) => void socket.destroy()],
  ['takes no answer any more', (socket: Socket) => void socket.end()],
])('a request whose client %s while it waits for its round does not begin', async (_name, end) => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const paths: string[] = []
  const accepted: Socket[] = []
  const slow = createWholeServer({}, (incoming, outgoing) => {
    paths.push(incoming.url ?? '')
    vi.advanceTimersByTime(5)
    outgoing.end()
    // In a later round, when all others wait. Those who stay begin first, because they send first.
    if (paths.length > 1) return
    setImmediate(() => accepted.filter(({ remotePort }) => leaving.has(remotePort)).forEach(end))
  })
  slow.on('connection', (socket: Socket) => accepted.push(socket))
  await once(slow.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void slow.close())
  const { port } = slow.address() as AddressInfo
  const clients = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      return socket
    }),
  )
  const leaving = new Set(clients.slice(10).map(({ localPort }) => localPort))
  await expect.poll(() => accepted).toHaveLength(20)
  const closed = clients.map((socket) => new Promise((resolve) => socket.resume().on('close', resolve)))
  clients.forEach((socket, at) =>
    socket.write(`POST /${at} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 1\r\n\r\nx`),
  )
  await Promise.all(closed)
  expect(paths.toSorted()).toEqual(Array.from({ length: 10 }, (_, at) => `/${at}`))
})

test('bodies that wait for their last byte give way, the oldest first, once they need too much room', async () => {
  const size = 256 * KIB
  const almost = Buffer.alloc(size - 1, 'x')
  const waiting: Array<Awaited<ReturnType<typeof dial>>> = []
  for (let bytes = 0; bytes <= 64 * MIB; bytes += almost.length) {
    const one = await dial(`content-length: ${size}`)
    one.socket.write(almost)
    waiting.push(one)
  }
  expect(await waiting[0]?.answer).toMatch(/^HTTP\/1.1 408 [^]*"code":"request_timeout"/)
  const last = waiting.at(-1)
  last?.socket.write('x')
  expect(await last?.answer).toMatch(/^HTTP\/1.1 200 /)
  expect(begun).toBe(1)
  for (const { socket } of waiting) socket.destroy()
})
