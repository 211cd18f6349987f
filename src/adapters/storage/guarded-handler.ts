import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

const TIMEOUT_MS = 60_000
// A server that sends a byte now and then would hold a request for ever. A piece of 8 MiB has this long.
const MOST_MS = 180_000

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
      const late = AbortSignal.timeout(MOST_MS)
      const answer = await agent.request({
        origin: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
        path: pathOf(request),
        method: method as Dispatcher.HttpMethod,
        headers,
        body: body ?? null,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
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

function pathOf({ path, query = {} }: SdkRequest): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => (each === null ? encode(name) : `${encode(name)}=${encode(String(each))}`)),
  )
  return parts.length > 0 ? `${path}?${parts.join('&')}` : path
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
