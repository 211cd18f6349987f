import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { Agent, type Dispatcher } from 'undici'
import {
  BlockedUrlError,
  OutboundError,
  type FileRequest,
  type OutboundFile,
  type OutboundPage,
} from '../../platform/ports/ports.ts'
import { charsetOf } from './charset.ts'
import { outboundError } from './failures.ts'
import type { Guard } from './guard.ts'

export interface FileReader {
  page(request: FileRequest): Promise<OutboundPage>
  picture(request: FileRequest): Promise<OutboundFile>
  close(): Promise<void>
}

/** The kind of file to fetch. Errors contain its name. */
interface FileKind {
  name: string
  accept: string
  type: RegExp
  otherType: string
  mostMiB: number
}

interface Downloaded extends OutboundFile {
  url: string
  bytes: Buffer
}

const MIB = 1024 * 1024
const MAX_REDIRECTS = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const PAGE: FileKind = {
  name: 'page',
  accept: 'text/html',
  type: /^text\/html\s*(;|$)/i,
  otherType: 'the answer is not an HTML page',
  mostMiB: 1,
}
const PICTURE: FileKind = {
  name: 'picture',
  accept: 'image/png, image/jpeg, image/webp, image/gif, image/svg+xml',
  type: /^(image\/|application\/octet-stream)/i,
  otherType: 'the answer is not a picture',
  mostMiB: 2,
}
const DECOMPRESS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Reads pages and pictures behind the guard, which checks each redirect as it checks the first address. */
export function createFileReader(guard: Guard, development: boolean): FileReader {
  const agent = new Agent({
    connections: 64,
    // Zero keeps no connection for the next caller.
    pipelining: 0,
    connect: guard.connector((port, admitted) => port === 80 || port === 443 || (development && admitted)),
  })

  async function follow(
    url: URL,
    request: FileRequest,
    kind: FileKind,
    signal: AbortSignal,
    left: number,
  ): Promise<Downloaded> {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new BlockedUrlError()
    const answer = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { 'user-agent': request.userAgent, accept: kind.accept, 'accept-encoding': 'gzip, deflate, br' },
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
    answer.body.on('error', () => {})
    const location = headerOf(answer, 'location')
    if (REDIRECTS.has(answer.statusCode) && location !== '') {
      answer.body.destroy()
      if (left === 0) throw new OutboundError('protocol', `the ${kind.name} redirects more than ${MAX_REDIRECTS} times`)
      if (!URL.canParse(location, url.href))
        throw new OutboundError('protocol', `the ${kind.name} redirects to a URL that is not valid`)
      return follow(withoutLogin(new URL(location, url)), request, kind, signal, left - 1)
    }
    const type = headerOf(answer, 'content-type')
    // An error of the other server is a text, whatever was asked for.
    if (kind === PICTURE && answer.statusCode >= 400) {
      answer.body.destroy()
      return { url: url.href, status: answer.statusCode, type, bytes: Buffer.alloc(0) }
    }
    if (!kind.type.test(type)) {
      answer.body.destroy()
      throw new OutboundError('protocol', kind.otherType)
    }
    return { url: url.href, status: answer.statusCode, type, bytes: await bytesOf(answer, kind) }
  }

  async function download(request: FileRequest, kind: FileKind): Promise<Downloaded> {
    const controller = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new OutboundError('timeout', `no complete ${kind.name} within ${request.timeoutMs / 1000} s`)),
        request.timeoutMs,
      )
    })
    try {
      const url = URL.canParse(request.url) ? withoutLogin(new URL(request.url)) : null
      if (!url) throw new BlockedUrlError()
      return await Promise.race([follow(url, request, kind, controller.signal, MAX_REDIRECTS), late])
    } catch (error) {
      throw outboundError(error, guard.reasonOf)
    } finally {
      clearTimeout(timer)
      controller.abort()
    }
  }

  return {
    async page(request) {
      const { url, status, type, bytes } = await download(request, PAGE)
      return { url, status, html: new TextDecoder(charsetOf(type, bytes)).decode(bytes) }
    },
    picture: (request) => download(request, PICTURE),
    close: () => agent.destroy(),
  }
}

/** At most the bytes of its kind, before and after decompression. */
async function bytesOf(answer: Dispatcher.ResponseData, { name, mostMiB }: FileKind): Promise<Buffer> {
  const most = mostMiB * MIB
  const tooLarge = `the ${name} has more than ${mostMiB} MiB`
  const chunks: Buffer[] = []
  let read = 0
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    read += chunk.byteLength
    if (read > most) throw new OutboundError('protocol', tooLarge)
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  const encoding = headerOf(answer, 'content-encoding').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity' || body.length === 0) return body
  const decompress = Object.entries(DECOMPRESS).find(([name]) => name === encoding)?.[1]
  if (!decompress) throw new OutboundError('protocol', `the ${name} is compressed in a way that Earshot does not read`)
  return decompress(body, { maxOutputLength: most }).catch((error: NodeJS.ErrnoException) => {
    const large = error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new OutboundError('protocol', large ? tooLarge : `the compressed ${name} is damaged`)
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
