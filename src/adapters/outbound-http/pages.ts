import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import { BlockedUrlError, OutboundError, type OutboundPage, type PageRequest } from '../../platform/ports.ts'
import { charsetOf } from './charset.ts'
import { outboundError } from './failures.ts'
import type { Guard } from './guard.ts'

export interface PageReader {
  read(request: PageRequest): Promise<OutboundPage>
  close(): Promise<void>
}

const MAX_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const HTML = /^text\/html\s*(;|$)/i
const TOO_LARGE = 'the page has more than 1 MiB'
const DECOMPRESS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Reads web pages behind the guard, which checks each redirect as it checks the first address. */
export function createPageReader(guard: Guard, development: boolean): PageReader {
  const agent = new Agent({
    connections: 64,
    // Zero keeps no connection for the next caller.
    pipelining: 0,
    connect: guard.connector((port, admitted) => port === 80 || port === 443 || (development && admitted)),
  })

  async function follow(url: URL, request: PageRequest, signal: AbortSignal, left: number): Promise<OutboundPage> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new BlockedUrlError()
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { 'user-agent': request.userAgent, accept: 'text/html', 'accept-encoding': 'gzip, deflate, br' },
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    answer.body.on('error', () => {})
    const location = headerOf(answer, 'location')
    if (REDIRECTS.has(answer.statusCode) && location !== '') {
      answer.body.destroy()
      if (left === 0) throw new OutboundError('protocol', `the page redirects more than ${MAX_REDIRECTS} times`)
      if (!URL.canParse(location, url.href)) throw new OutboundError('protocol', 'the page redirects to no valid URL')
      return follow(withoutLogin(new URL(location, url)), request, signal, left - 1)
    }
    const type = headerOf(answer, 'content-type')
    if (!HTML.test(type)) {
      answer.body.destroy()
      throw new OutboundError('protocol', 'the answer is not an HTML page')
    }
    const bytes = await bytesOf(answer)
    return { url: url.href, status: answer.statusCode, html: new TextDecoder(charsetOf(type, bytes)).decode(bytes) }
  }

  return {
    async read(request) {
      const controller = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(
          () => reject(new OutboundError('timeout', `no complete page within ${request.timeoutMs / 1000} s`)),
          request.timeoutMs,
        )
      })
      try {
        const url = URL.canParse(request.url) ? withoutLogin(new URL(request.url)) : null
        if (!url) throw new BlockedUrlError()
        return await Promise.race([follow(url, request, controller.signal, MAX_REDIRECTS), late])
      } catch (error) {
        throw outboundError(error, guard.reasonOf)
      } finally {
        clearTimeout(timer)
        controller.abort()
      }
    },
    close: () => agent.destroy(),
  }
}

/** At most 1 MiB, before and after decompression. */
async function bytesOf(answer: Dispatcher.ResponseData): Promise<Buffer> {
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    read += chunk.byteLength
    if (read > MAX_BYTES) throw new OutboundError('protocol', TOO_LARGE)
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const encoding = headerOf(answer, 'content-encoding').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity' || body.length === 0) return body
  const decompress = Object.entries(DECOMPRESS).find(([name]) => name === encoding)?.[1]
  if (!decompress) throw new OutboundError('protocol', 'the page is compressed in a way that we do not read')
  return decompress(body, { maxOutputLength: MAX_BYTES }).catch((error: NodeJS.ErrnoException) => {
    const large = error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new OutboundError('protocol', large ? TOO_LARGE : 'the compressed page is damaged')
  })
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string {
  const value = headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function withoutLogin(url: URL): URL {
  url.username = ''
  url.password = ''
  return url
}
