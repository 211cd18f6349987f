import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Dispatcher } from 'undici'
import { expect, test, vi } from 'vitest'
import { createOutboundHttp } from '../outbound-http/outbound-http.ts'
import { guardedHandler } from './guarded-handler.ts'

test.each([
  ['a small file', 'PUT', 'some rows', 11_000],
  ['the beginning of an upload', 'POST', undefined, 11_000],
  ['a removal', 'DELETE', undefined, 11_000],
  ['a piece of 8 MiB', 'PUT', Buffer.alloc(8 * 1024 * 1024), 65_000],
  ['joining the pieces', 'POST', '<CompleteMultipartUpload/>', 65_000],
])('a silent server has as long as it needs for %s, and no longer', async (_what, method, body, mostMs) => {
  const request = vi.fn(async (_options: Dispatcher.RequestOptions) => ({
    statusCode: 200,
    headers: {},
    body: { arrayBuffer: async () => new ArrayBuffer(0) },
  }))
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const handler = guardedHandler({ request } as unknown as Dispatcher) as unknown as {
    handle(request: object): Promise<object>
  }
  await handler.handle({ method, protocol: 'https:', hostname: 'bucket.example', path: '/key', headers: {}, body })
  const options = request.mock.calls[0]?.[0]
  for (const limit of [options?.headersTimeout, options?.bodyTimeout]) {
    expect(limit).toBeLessThan(mostMs)
    expect(limit, 'at 1.4 Mbit/s').toBeGreaterThan(Math.max(9_999, Buffer.byteLength(body ?? '') / 175))
  }
  expect(timeout).toHaveBeenCalledWith(3 * (options?.headersTimeout ?? 0))
  timeout.mockRestore()
})

test.each([
  ['Expect', '100-continue'],
  ['connection', 'keep-alive, x'],
  ['Keep-Alive', 'timeout=5'],
  ['Transfer-Encoding', 'chunked'],
  ['upgrade', 'h2c'],
])('a request with %s arrives, without it', async (name, value) => {
  let arrived: IncomingHttpHeaders = {}
  const server = createServer((request, response) => {
    arrived = request.headers
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const outbound = createOutboundHttp({ allowCidrs: ['127.0.0.0/8'] })
  const handler = guardedHandler(outbound.agent) as unknown as {
    handle(request: object): Promise<{ response: { statusCode: number } }>
  }
  const headers = { 'x-amz-date': '20260302T100000Z', [name]: value }
  const asked = { method: 'PUT', protocol: 'http:', hostname: '127.0.0.1', port, path: '/key', headers, body: 'rows' }
  expect((await handler.handle(asked)).response.statusCode).toBe(200)
  expect(arrived).toMatchObject({ 'x-amz-date': '20260302T100000Z', 'content-length': '4' })
  expect(arrived[name.toLowerCase()]).not.toBe(value)
  await outbound.close()
  server.close()
})
