import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

/** A server that is silent for longer after a small request holds a place of others in vain. */
const SILENT_MS = 10_000
/** Joining the pieces of an upload takes a store as long as this. */
const JOINING_MS = 60_000
/** The slowest way to a server: 1.3 Mbit/s, a minute for a piece of 8 MiB. */
const BYTES_PER_MS = 160
/** A server that sends a byte now and then would hold a request for ever. It has so many times the silence. */
const SILENCES = 3
/** The connection is the agent's. It refuses requests that name these, such as `Expect` for a body of 2 MiB. */
const OF_THE_AGENT = new Set(['connection', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'])

interface SdkRequest {
  method: string
  protocol: string
  hostname: string
  port?: number
  path: string
  query?: Record<string, string | string[] | null>
  headers: Record<string, string>
  body?: Buffer | string | undefined
}

/** Sends what the library asks for through an agent that dials only addresses that tenants may reach. */
export function guardedHandler(agent: Dispatcher): NonNullable<S3ClientConfig['requestHandler']> {
  return {
    async handle(request: SdkRequest, { abortSignal }: { abortSignal?: AbortSignal } = {}) {
      const { method, protocol, hostname, port, headers, body } = request
      const silentMs = mostSilentMs(method, Buffer.byteLength(body ?? ''))
      const late = AbortSignal.timeout(SILENCES * silentMs)
      const answer = await agent.request({
        origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
        path: pathOf(request),
        method: method as Dispatcher.HttpMethod,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_AGENT.has(name.toLowerCase()))),
        body: body ?? null,
        headersTimeout: silentMs,
        bodyTimeout: silentMs,
        signal: abortSignal ? AbortSignal.any([abortSignal, late]) : late,
      })
      const texts = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
      const whole = Buffer.from(await answer.body.arrayBuffer())
      return {
        response: { statusCode: answer.statusCode, headers: Object.fromEntries(texts), body: Readable.from([whole]) },
      }
    },
  } as NonNullable<S3ClientConfig['requestHandler']>
}

function mostSilentMs(method: string, bytes: number): number {
  return method === 'POST' && bytes > 0 ? JOINING_MS : SILENT_MS + Math.ceil(bytes / BYTES_PER_MS)
}

function pathOf({ path, query = {} }: SdkRequest): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => (each === null ? encode(name) : `${encode(name)}=${encode(String(each))}`)),
  )
  return parts.length > 0 ? `${path}?${parts.join('&')}` : path
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
