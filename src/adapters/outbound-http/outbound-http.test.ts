import type { ServerResponse } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildConnector } from 'undici'
import { startReceiver, type Receiver } from '../../testing/receiver.ts'
import { OutboundError } from '../../platform/ports/ports.ts'
import { createOutboundHttp } from './outbound-http.ts'
import vectors from './vectors/ssrf.json' with { type: 'json' }

const guarded = createOutboundHttp({ allowCidrs: [] })
const local = createOutboundHttp({ allowCidrs: ['127.0.0.0/8', '::1/128'] })
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await guarded.close()
  await local.close()
})

const request = (url: string, timeoutMs = 5_000) => ({
  url,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs,
})

describe('the guard', () => {
  test.each([...vectors.block, ...vectors.invalid])('refuses %j before anything is dialled', async (url) => {
    await expect(guarded.check(url)).rejects.toThrow('the address is not allowed')
    await expect(guarded.post(request(url))).rejects.toThrow()
  })
  test.each(vectors.allow)('lets %j through', async (url) => {
    await expect(guarded.check(url)).resolves.toBeUndefined()
  })
  test.each([
    'http://169.254.169.254/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://100.100.100.200/',
  ])('refuses %s even when every range is allowed', async (url) => {
    const open = createOutboundHttp({ allowCidrs: ['0.0.0.0/0', '::/0'] })
    await expect(open.check(url)).rejects.toThrow('the address is not allowed')
    await open.close()
  })
  test('refuses a name when any of its answers is private', async () => {
    const mixed = createOutboundHttp({ allowCidrs: [], resolve: async () => ['8.8.8.8', '10.0.0.1'] })
    await expect(mixed.check('http://mixed.example/')).rejects.toThrow('the address is not allowed')
    await mixed.close()
  })
  test('looks a name up anew for each connection, so a changed answer is checked too', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']]
    const dialled: string[] = []
    const listener = createServer((socket) => {
      dialled.push(socket.remoteAddress ?? '')
      socket.destroy()
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const address = listener.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const rebinding = createOutboundHttp({ allowCidrs: [], resolve: async () => answers.shift() ?? ['127.0.0.1'] })
    await rebinding.check(`http://rebind.example:${port}/`)
    await expect(rebinding.post(request(`http://rebind.example:${port}/`))).rejects.toThrow(
      'the address is not allowed',
    )
    expect(dialled).toEqual([])
    await rebinding.close()
    await new Promise((resolve) => listener.close(resolve))
  })
  test('a name that does not resolve is no reason to refuse a registration', async () => {
    const unknown = createOutboundHttp({
      allowCidrs: [],
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    })
    await expect(unknown.check('https://not-yet.example/')).resolves.toBeUndefined()
    await expect(unknown.post(request('https://not-yet.example/'))).rejects.toThrow('the name does not resolve')
    await unknown.close()
  })
})

describe('a post', () => {
  test('carries the exact body and reports status and excerpt', async () => {
    receiver.answer((_request, response) => void response.writeHead(202, { 'retry-after': '7' }).end('thanks'))
    expect(await local.post(request(receiver.url))).toMatchObject({
      headers: { 'retry-after': '7' },
      status: 202,
      retryAfter: '7',
      excerpt: 'thanks',
    })
    expect(receiver.requests.at(-1)).toMatchObject({ method: 'POST', body: '{}' })
  })
  test('goes to an address of the other kind where this machine has no way to the first', async () => {
    const dial = buildConnector({})
    const dialled: string[] = []
    const http = createOutboundHttp({
      allowCidrs: ['127.0.0.0/8', '::1/128'],
      resolve: async () => ['::1', '127.0.0.1'],
      dial(target, done) {
        dialled.push(target.hostname)
        if (target.hostname.includes(':')) done(Object.assign(new Error('no way'), { code: 'ENETUNREACH' }), null)
        else dial(target, done)
      },
    })
    receiver.answer((_request, response) => void response.writeHead(200).end())
    const { port } = new URL(receiver.url)
    expect((await http.post(request(`http://both.example:${port}/`))).status).toBe(200)
    expect(dialled).toEqual(['::1', '127.0.0.1'])
    await http.close()
  })
  test('does not follow redirects', async () => {
    const before = receiver.requests.length
    receiver.answer((_request, response) => void response.writeHead(302, { location: receiver.url }).end())
    expect((await local.post(request(receiver.url))).status).toBe(302)
    expect(receiver.requests.length).toBe(before + 1)
  })
  test('reads at most 64 KiB of an endless answer and keeps 2 KiB', async () => {
    receiver.answer((_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(16_384)), 1)
      response.on('close', () => clearInterval(timer))
    })
    const answer = await local.post(request(receiver.url))
    expect(answer.status).toBe(200)
    expect(answer.excerpt.length).toBe(2_048)
  })
  test('gives up on a target that hangs, or that drips anything but a success', async () => {
    receiver.answer(() => {})
    await expect(local.post(request(receiver.url, 60))).rejects.toThrow('no complete answer within 0.06 s')
    const drip = (status: number) =>
      receiver.answer((_request, response) => {
        response.writeHead(status)
        const timer = setInterval(() => response.write('.'), 10)
        response.on('close', () => clearInterval(timer))
      })
    drip(500)
    await expect(local.post(request(receiver.url, 60))).rejects.toThrow('no complete answer within 0.06 s')
    drip(200)
    expect(await local.post(request(receiver.url, 1_000))).toMatchObject({ status: 200 })
  })
  test.each([200, 500])('takes the status %d however the body ends', async (status) => {
    receiver.answer((_request, response) => {
      response.writeHead(status, { 'content-length': '100' }).write('half')
      setImmediate(() => response.socket?.destroy())
    })
    expect(await local.post(request(receiver.url))).toMatchObject({ status })
    receiver.answer(
      (_request, response) =>
        void response.socket?.end(`HTTP/1.1 ${status} X\r\nTransfer-Encoding: chunked\r\n\r\nnot a chunk\r\n`),
    )
    expect(await local.post(request(receiver.url))).toMatchObject({ status })
  })
  test.each(['end', 'resetAndDestroy'] as const)(
    'is tried once more on a new connection where a reused one closes before an answer (%s)',
    async (close) => {
      const seen: number[] = []
      let connections = 0
      const target = createServer((socket) => {
        const nth = (connections += 1)
        let requests = 0
        socket.on('error', () => {})
        socket.on('data', () => {
          seen.push(nth)
          requests += 1
          if (requests === 2) socket[close]()
          else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
        })
      })
      await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
      const { port } = target.address() as AddressInfo
      const url = `http://127.0.0.1:${port}/`
      expect(await local.post(request(url))).toMatchObject({ status: 200 })
      await new Promise(setImmediate)
      expect(await local.post(request(url))).toMatchObject({ status: 200 })
      expect(seen).toEqual([1, 1, 2])
      target.close()
    },
  )
  test('is not tried again where a new connection closes before an answer', async () => {
    let requests = 0
    const target = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => {
        requests += 1
        socket.end()
      })
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const { port } = target.address() as AddressInfo
    await expect(local.post(request(`http://127.0.0.1:${port}/`))).rejects.toThrow('closed before an answer came')
    expect(requests).toBe(1)
    target.close()
  })
  test('is not held up by others that hang at the same host', async () => {
    const held: ServerResponse[] = []
    receiver.answer((request, response) => {
      if (request.body === '{"fast":true}') response.writeHead(200).end()
      else held.push(response)
    })
    const hanging = Array.from({ length: 100 }, () => local.post(request(receiver.url, 60_000)))
    expect(await local.post({ ...request(receiver.url, 20_000), body: '{"fast":true}' })).toMatchObject({ status: 200 })
    await expect.poll(() => held.length).toBe(100)
    for (const response of held) response.end()
    await Promise.all(hanging)
  })
  test('an upgrade, a reset and a closed port are failures in our own words', async () => {
    receiver.answer(
      (_request, response) =>
        void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    )
    await expect(local.post(request(receiver.url))).rejects.toThrow(/protocol|not valid HTTP|closed/)
    receiver.answer((_request, response) => void response.socket?.destroy())
    await expect(local.post(request(receiver.url))).rejects.toThrow('the connection was closed before an answer came')
    await expect(local.post(request('http://127.0.0.1:1/'))).rejects.toThrow('the connection was refused')
  })
})

describe('the reason of a failure', () => {
  const REFUSED = 'ECONNREFUSED'
  const cases: Array<
    [string, { answers?: string[]; lookup?: string; dial?: string; allow?: string[] }, string | null]
  > = [
    ['http://shop.example/', { answers: ['93.184.215.14'], dial: REFUSED }, 'The address refused the connection.'],
    [
      'https://shop.example/',
      { answers: ['93.184.215.14'], dial: 'CERT_HAS_EXPIRED' },
      'TLS failed: the certificate has expired.',
    ],
    [
      'https://shop.example/',
      { answers: ['93.184.215.14'], dial: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      'TLS failed: the certificate is for another host name.',
    ],
    [
      'https://shop.example/',
      { answers: ['93.184.215.14'], dial: 'ERR_SSL_WRONG_VERSION_NUMBER' },
      'TLS failed: the target offers no TLS that Earshot accepts.',
    ],
    ['http://gone.example.com/', { lookup: 'ENOTFOUND' }, 'The host name is unknown.'],
    ['http://93.184.215.14/', { dial: REFUSED }, 'The address refused the connection.'],
    ['http://shop.example/', { answers: ['93.184.215.14'], dial: 'UND_ERR_CONNECT_TIMEOUT' }, null],
    ['http://shop.example/', { answers: ['93.184.215.14', '10.0.0.1'], dial: REFUSED, allow: ['10.0.0.0/8'] }, null],
    ['http://10.0.0.1/', { dial: REFUSED, allow: ['10.0.0.0/8'] }, null],
    ['https://127.0.0.1/', { dial: 'CERT_HAS_EXPIRED', allow: ['127.0.0.0/8'] }, null],
    ['http://db.internal/', { lookup: 'ENOTFOUND' }, null],
    ['http://db/', { lookup: 'ENOTFOUND' }, null],
    ['http://printer.local./', { lookup: 'ENOTFOUND' }, null],
    ['http://gone.example.com/', { lookup: 'EAI_AGAIN' }, null],
  ]
  test.each(cases)('of %s with %o is told as %j', async (url, { answers = [], lookup, dial, allow = [] }, told) => {
    const fault = (code: string) => Object.assign(new Error('10.1.2.3 said no'), { code })
    const http = createOutboundHttp({
      allowCidrs: allow,
      resolve: () => (lookup ? Promise.reject(fault(lookup)) : Promise.resolve(answers)),
      dial: (_target, done) => done(fault(dial ?? ''), null),
    })
    const error = await http.post(request(url)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OutboundError)
    expect((error as OutboundError).publicReason).toBe(told)
    await http.close()
  })
})
