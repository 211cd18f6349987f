import { once } from 'node:events'
import { connect } from 'node:net'
import { z } from 'zod'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { KIB, readBody } from '../bodies/body.ts'
import { systemRoute } from './route.ts'

const LIMIT = 10 * KIB
let server: TestServer
let base: string
let carriedOut: string[]
let latch: PromiseWithResolvers<void>
beforeAll(async () => {
  const slow = systemRoute({
    method: 'post',
    audit: { none: 'It is a test.' },
    path: '/slow/:name',
    operationId: 'slow',
    summary: 'Answers once it may',
    tag: 'Test',
    rawBody: { 'application/octet-stream': z.string() },
    bodyLimit: LIMIT,
    response: { status: 200, contentType: 'text/plain' },
    async handler(_system, { c }) {
      await readBody(c.req.raw, LIMIT)
      carriedOut.push(c.req.path)
      await latch.promise
      return c.text(`answer to ${c.req.path}`)
    },
  })
  server = await startTestServer({ extraRoutes: [slow] })
  base = await server.listen()
})
afterAll(() => server.close())
beforeEach(() => {
  carriedOut = []
  latch = Promise.withResolvers()
})

const post = (name: string, body = '') =>
  `POST /slow/${name} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const chunked = (name: string, body: string) =>
  `POST /slow/${name} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

function send(bytes: string) {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))
  socket.on('error', () => {})
  socket.write(bytes)
  return {
    socket,
    closed: once(socket, 'close').then(() => text),
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
  }
}

/** Requests of somebody else, after which what was sent before them has been read. */
async function meanwhile(): Promise<void> {
  for (let i = 0; i < 3; i++) await (await fetch(`${base}/health`)).text()
}

test('pipelined requests are carried out one after the other and answered in order', async () => {
  const { socket, statuses } = send(post('a', 'body') + post('b') + post('c', 'body'))
  await expect.poll(() => carriedOut).toEqual(['/slow/a'])
  await meanwhile()
  expect(carriedOut).toEqual(['/slow/a'])
  latch.resolve()
  await expect.poll(statuses).toEqual([200, 200, 200])
  expect(carriedOut).toEqual(['/slow/a', '/slow/b', '/slow/c'])
  socket.destroy()
})

test.each([
  ['in a body that was waited for', post('a', 'x'.repeat(2 * LIMIT))],
  ['in a body past 256 KiB', post('a', 'x'.repeat(300 * KIB))],
  ['in chunks', chunked('a', 'x'.repeat(2 * LIMIT))],
])('a request behind one that is too large, %s, is not carried out', async (_name, tooLarge) => {
  latch.resolve()
  const { closed, statuses } = send(tooLarge + post('b'))
  expect(await closed).toMatch(/^connection: close$/im)
  await meanwhile()
  expect(statuses()).toEqual([413])
  expect(carriedOut).toEqual([])
})

test.each([
  ['garbage', 'garbage\r\n\r\n', 400],
  ['a head past 16 KiB', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n', 405],
])('%s behind requests that are being answered leaves their answers whole', async (_name, garbage, status) => {
  const { socket, closed, statuses } = send(post('a') + post('b') + garbage)
  await expect.poll(() => carriedOut).toEqual(['/slow/a'])
  socket.write(garbage)
  await meanwhile()
  expect(statuses()).toEqual([])
  latch.resolve()
  const text = await closed
  expect(statuses()).toEqual([200, 200, status])
  expect(text.indexOf('answer to /slow/b')).toBeGreaterThan(text.indexOf('answer to /slow/a'))
})

test('garbage within the body of a request is answered at once', async () => {
  const { closed, statuses } = send(
    'POST /slow/a HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nno length\r\n',
  )
  await closed
  expect(statuses()).toEqual([400])
  expect(carriedOut).toEqual([])
})
