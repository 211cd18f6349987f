import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { z } from 'zod'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createHttpServer } from '../../listener.ts'
import { createWorkspace, type TestWorkspace } from '../../testing/fixtures.ts'
import { startTestServer, type TestServer } from '../../testing/harness.ts'
import { KIB, MIB, readBody } from './body.ts'
import { createPlaces, inPlace, parseInTurn } from './large-bodies.ts'
import { tenantRoute } from '../routes/route.ts'

const LIMIT = 10 * MIB
const settle = () => new Promise((resolve) => setImmediate(resolve))
const here = () => new AbortController().signal

const largeRoute = tenantRoute({
  method: 'post',
  audit: { none: 'It is a test.' },
  path: '/large',
  operationId: 'large',
  summary: 'Says how much it was sent',
  tag: 'Test',
  bodyLimit: LIMIT,
  rawBody: { 'application/octet-stream': z.string() },
  response: { status: 200, contentType: 'text/plain' },
  handler: async (_scope, { c }) => {
    const { byteLength } = await readBody(c.req.raw, LIMIT)
    read += 1
    return c.text(String(byteLength), 200)
  },
})

let server: TestServer
let base: string
let workspaces: TestWorkspace[]
let arrived = 0
let read = 0
beforeAll(async () => {
  server = await startTestServer({ extraRoutes: [largeRoute], inspectRequest: () => void (arrived += 1) })
  base = await server.listen()
  workspaces = []
  for (let n = 0; n < 4; n++) workspaces.push(await createWorkspace(server))
})
afterAll(() => server.close())

const places = () => createPlaces({ atOnce: 2, atOncePerTenant: 1, waiting: 8, waitingPerTenant: 3 })

test('two bodies at once, one of a tenant; the others wait for their place, and past eight that wait more are refused', async () => {
  const { enter, leave } = places()
  const inside: string[] = []
  const refused: string[] = []
  for (const tenant of ['a', 'b', 'a', 'a', 'a', 'a', 'b', 'b', 'c', 'd', 'd', 'c', 'e']) {
    enter(tenant, here()).then(
      () => inside.push(tenant),
      (error: unknown) => {
        expect(error).toMatchObject({ status: 503, code: 'busy', options: { retryAfter: 5 } })
        refused.push(tenant)
      },
    )
  }
  await settle()
  expect(inside).toEqual(['a', 'b'])
  // Of `d` two wait, so the later one makes room for `e`.
  expect(refused).toEqual(['a', 'c', 'd'])
  const order: string[] = []
  let working = ['a', 'b']
  while (working.length > 0) {
    leave(working.shift() ?? '')
    await settle()
    const entered = inside.slice(2 + order.length)
    order.push(...entered)
    working = [...working, ...entered]
    expect(working.length).toBeLessThanOrEqual(2)
    expect(new Set(working).size).toBe(working.length)
  }
  expect(order.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'c', 'd', 'e'])
  // Those who had no turn yet come first.
  expect(order.slice(0, 3).toSorted()).toEqual(['c', 'd', 'e'])
})

test('a tenant that holds its place leaves the other one to the next request', async () => {
  const { enter, leave } = places()
  const inside: string[] = []
  for (const tenant of ['a', 'a', 'a', 'b', 'c']) void enter(tenant, here()).then(() => inside.push(tenant))
  await settle()
  expect(inside).toEqual(['a', 'b'])
  leave('b')
  await settle()
  expect(inside).toEqual(['a', 'b', 'c'])
})

test('a request that ends while it waits blocks no other', async () => {
  const { enter } = places()
  await enter('a', here())
  const gone = new AbortController()
  const waiting = [1, 2, 3].map(() => enter('a', gone.signal))
  await expect(enter('a', here())).rejects.toMatchObject({ code: 'busy' })
  gone.abort()
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  void enter('a', here())
  await expect(enter('b', here())).resolves.toBeUndefined()
})

test.each([true, false])(
  'no body is read before its turn, or only its first MiB where the length is not declared: %s',
  async (declared) => {
    const lane = places()
    let read = 0
    const body = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            read += 1
            if (read % 32 === 0) controller.close()
            else controller.enqueue(new Uint8Array(64 * KIB))
          },
        },
        { highWaterMark: 0 },
      )
    const send = (work: () => Promise<string>) => {
      const headers = { ...(declared && { 'content-length': String(31 * 64 * KIB) }) }
      return inPlace(
        lane,
        'a',
        new Request('http://x', { method: 'POST', body: body(), headers, duplex: 'half' } as RequestInit),
        LIMIT,
        work,
      )
    }
    await lane.enter('a', here())
    const answer = send(() => Promise.resolve('done'))
    for (let i = 0; i < 100; i++) await settle()
    expect(read).toBe(declared ? 0 : 17)
    lane.leave('a')
    expect(await answer).toBe('done')
    expect(read).toBe(32)
    await expect(send(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await send(() => Promise.resolve('after an error'))).toBe('after an error')
  },
)

test('the work on large bodies is done one after the other, and a small body waits for none', async () => {
  const lane = places()
  const log: string[] = []
  const first = Promise.withResolvers<void>()
  const send = (tenant: string, bytes: number, wait?: Promise<void>) =>
    inPlace(lane, tenant, new Request('http://x', { method: 'POST', body: new Uint8Array(bytes) }), LIMIT, async () => {
      log.push(`${tenant} begins`)
      await wait
      log.push(`${tenant} ends`)
    })
  const all = [send('a', 2 * MIB, first.promise), send('b', 2 * MIB)]
  await send('c', KIB)
  for (let i = 0; i < 100; i++) await settle()
  expect(log.toSorted()).toEqual(['a begins', 'c begins', 'c ends'])
  first.resolve()
  await Promise.all(all)
  expect(log.slice(3)).toEqual(['a ends', 'b begins', 'b ends'])
})

test.each([true, false])('a large body is put together in order, its length declared: %s', async (declared) => {
  const pieces = Array.from({ length: 40 }, (_, n) => new Uint8Array(60_000).fill(n))
  const headers = { ...(declared && { 'content-length': String(40 * 60_000) }) }
  const request = new Request('http://x', {
    method: 'POST',
    body: new Blob(pieces).stream(),
    headers,
    duplex: 'half',
  } as RequestInit)
  expect(Buffer.compare(await readBody(request, LIMIT), Buffer.concat(pieces))).toBe(0)
})

test.each([
  ['past 192 KiB', MIB, [KIB, 16 * KIB, 192 * KIB]],
  ['past 16 KiB', 17 * KIB, [KIB, 16 * KIB, MIB]],
])(
  'bodies %s are parsed one at a time, others beside them, askers take turns, and the next begins after a failure',
  async (_name, size, others) => {
    const begun: string[] = []
    const first = Promise.withResolvers<string>()
    const parse = (name: string, bytes: number, end: Promise<string>, of = 'ours') =>
      parseInTurn(
        () => of,
        { bytes: new Uint8Array(bytes), gone: () => new AbortController().signal },
        () => {
          begun.push(name)
          return end
        },
      )
    const done = Promise.resolve('')
    const answers = [
      parse('first', size, first.promise),
      parse('second', size, done),
      parse('third', size, done),
      parse('of others', size, done, 'others'),
      ...others.map((bytes) => parse(`${bytes}`, bytes, done)),
    ]
    const atOnce = ['first', ...others.map(String)]
    await settle()
    expect(begun).toEqual(atOnce)
    first.reject(new Error('no'))
    await expect(answers[0]).rejects.toThrow('no')
    await Promise.all(answers.slice(1))
    expect(begun).toEqual([...atOnce, 'second', 'of others', 'third'])
  },
)

test('the body of a client that left while it waited is not parsed', async () => {
  const first = Promise.withResolvers<string>()
  const left = new AbortController()
  const begun: string[] = []
  const parse = (name: string, gone: AbortSignal, end: Promise<string>) =>
    parseInTurn(
      () => name,
      { bytes: new Uint8Array(17 * KIB), gone: () => gone },
      () => {
        begun.push(name)
        return end
      },
    )
  const { signal } = new AbortController()
  const answers = [
    parse('first', signal, first.promise),
    parse('gone', left.signal, Promise.resolve('')),
    parse('last', signal, Promise.resolve('')),
  ]
  left.abort()
  first.resolve('')
  await Promise.allSettled(answers)
  expect(begun).toEqual(['first', 'last'])
})

test('of bodies past 16 KiB any number waits, of those past 192 KiB a hundred, half of them of one asker', async () => {
  const latch = Promise.withResolvers<string>()
  const refusedOf = async (bytes: number) => {
    let refused = 0
    const all = Array.from({ length: 60 }, () =>
      parseInTurn(
        () => 'ours',
        { bytes: new Uint8Array(bytes), gone: () => new AbortController().signal },
        () => latch.promise,
      ).catch(() => (refused += 1)),
    )
    await settle()
    return { refused, all }
  }
  const [middling, large] = [await refusedOf(17 * KIB), await refusedOf(193 * KIB)]
  expect([middling.refused, large.refused]).toEqual([0, 9])
  latch.resolve('')
  await Promise.all([...middling.all, ...large.all])
})

interface Upload {
  socket: Socket
  answer: Promise<string>
}

/** Sends the head of an upload, whose body is withheld. */
async function begin(
  workspace: TestWorkspace | undefined,
  size: number | 'chunked' = 2 * MIB,
  to = base,
): Promise<Upload> {
  const { hostname, port } = new URL(to)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  const answer = once(socket, 'close').then(() => text)
  const before = arrived
  const framing = size === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${size}`
  socket.write(
    `POST /v1/large HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${workspace?.token}\r\nconnection: close\r\n${framing}\r\n\r\n`,
  )
  // A body of unknown length begins once it is larger than those that are waited for.
  if (size === 'chunked') socket.write(`fffffff\r\n${' '.repeat(300 * KIB)}`)
  await expect.poll(() => arrived).toBe(before + 1)
  return { socket, answer }
}

const upload = (workspace: TestWorkspace | undefined, to = base) =>
  fetch(`${to}/v1/large`, {
    method: 'POST',
    body: new Uint8Array(2 * MIB),
    headers: { authorization: `Bearer ${workspace?.token}` },
  })

test('bodies that do not end keep the ninth that waits out with a whole 503, and give their places back when their senders go', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const [a, b, c, d] = workspaces
  const held: Upload[] = []
  for (const workspace of [a, a, a, a]) held.push(await begin(workspace))
  const fifth = await upload(a)
  expect(fifth.status).toBe(503)
  expect(fifth.headers.get('retry-after')).toBe('5')
  expect(fifth.headers.get('connection')).toBe('close')
  expect(await fifth.json()).toMatchObject({ code: 'busy' })
  expect(await (await upload(b)).text()).toBe(String(2 * MIB))
  for (const workspace of [b, b, b, b, c, c]) held.push(await begin(workspace))
  held.push(await begin(d))
  const [latest] = held.slice(-2)
  expect(await latest?.answer).toMatch(/^HTTP\/1.1 503[^]*Retry-After: 5[^]*"code":"busy"/i)
  for (let i = 0; i < 5; i++) {
    const { socket, answer } = await begin(d, 8 * MIB)
    socket.pause()
    await new Promise((sent) => socket.write(Buffer.alloc(8 * MIB), sent))
    socket.resume()
    expect(await answer).toContain('"code":"busy"')
  }
  for (const { socket } of held) socket.destroy()
  await Promise.all(held.map(({ answer }) => answer))
  await expect.poll(async () => (await upload(d)).status).toBe(200)
  expect((await upload(a)).status).toBe(200)
})

test.each([2 * MIB, 'chunked'] as const)(
  'a large body that ends with its connection begins nothing and gives its place back: %s',
  async (size) => {
    const [a] = workspaces
    const before = read
    const { socket, answer } = await begin(a, size)
    await new Promise((sent) => socket.write(Buffer.alloc(2 * MIB - 1), sent))
    socket.destroy()
    await answer
    await expect.poll(async () => (await upload(a)).status).toBe(200)
    expect(read).toBe(before + 1)
  },
)

test('a stalled large body gives its place to the next, and a body that still arrives is read', async () => {
  const [a, b] = workspaces
  const before = arrived
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const stalled = await begin(a)
  const coming = await begin(b)
  vi.advanceTimersByTime(8_000)
  const waiting = upload(a)
  await expect.poll(() => arrived).toBe(before + 3)
  const spanOver = async () => {
    await new Promise((sent) => coming.socket.write(Buffer.alloc(512 * KIB), sent))
    await new Promise((resume) => setTimeout(resume, 50))
    vi.advanceTimersByTime(4_000)
  }
  await spanOver()
  expect(await stalled.answer).toMatch(/^HTTP\/1.1 408[^]*"code":"request_timeout"/)
  expect((await waiting).status).toBe(200)
  for (let n = 0; n < 3; n += 1) await spanOver()
  expect(await coming.answer).toMatch(/^HTTP\/1.1 200/)
})

test('a body that takes too long gives its place back when the server ends it', async () => {
  const impatient = createHttpServer(server.app, {
    headersTimeout: 100,
    requestTimeout: 100,
    connectionsCheckingInterval: 10,
  })
  await new Promise<void>((resolve) => impatient.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(impatient.address() as AddressInfo).port}`
  const [a] = workspaces
  const { answer } = await begin(a, 2 * MIB, url)
  expect(await answer).toMatch(/^HTTP\/1.1 408/)
  await expect.poll(async () => (await upload(a)).status).toBe(200)
  await new Promise((resolve) => impatient.close(resolve))
})
