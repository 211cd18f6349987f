import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { weightsIn } from '../platform/wishes.ts'
import type { AppContext } from './context.ts'

export type Encoding = 'br' | 'gzip'

// Below this size, a compressed answer saves no packet.
const SMALLEST = 1024
const QUALITY = 4
// A window of 256 KiB holds a usual page. Setting up the default one of 4 MiB costs 0.5 ms.
const WINDOW = 18
// The media types of answers and problems. Parts of exports and pictures have others.
const JSON_TYPE = /^application\/(?:problem\+)?json\b/i

/** The compression that the caller likes best, `br` if it likes both. Null for none (RFC 9110 §12.5.3). */
export function acceptedEncoding(c: AppContext): Encoding | null {
  const weights = new Map(
    weightsIn((c.req.header('accept-encoding') ?? '').toLowerCase()).map(({ name, weight }) => [name, weight]),
  )
  const others = weights.get('*') ?? 0
  const brotli = weights.get('br') ?? others
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? others
  const best = Math.max(brotli, gzip)
  if (best === 0 || best < (weights.get('identity') ?? 0)) return null
  return brotli === best ? 'br' : 'gzip'
}

/**
 * Compresses the JSON answer of a request, if it is large enough and the caller accepts it. Threads of the pool do the
 * work, piece by piece.
 */
export async function compressAnswer(c: AppContext): Promise<void> {
  const { res } = c
  if (!JSON_TYPE.test(res.headers.get('content-type') ?? '') || res.headers.has('content-encoding')) return
  if (res.status === 304) return keepTag(c)
  if (res.status === 206) return
  res.headers.append('Vary', 'Accept-Encoding')
  const length = res.headers.get('content-length')
  if (length !== null && Number(length) < SMALLEST) return
  const encoding = acceptedEncoding(c)
  if (encoding === null || res.body === null) return
  const pieces = await piecesOf(res)
  const isSmall = sizeOf(pieces) < SMALLEST
  const headers = new Headers(res.headers)
  const sent = isSmall ? pieces : await compressed(pieces, encoding)
  headers.set('Content-Length', String(sizeOf(sent)))
  if (!isSmall) {
    headers.set('Content-Encoding', encoding)
    const etag = headers.get('etag')
    if (etag !== null) headers.set('ETag', codedTag(etag, encoding))
  }
  const [whole] = sent
  const body = sent.length === 1 ? new Uint8Array(whole ?? []) : ReadableStream.from(sent)
  // Else Hono would copy the body through a stream.
  c.res = undefined
  c.res = new Response(body, { status: res.status, headers })
}

async function piecesOf({ body }: Response): Promise<Uint8Array[]> {
  return Readable.fromWeb(body as WebStream).toArray() as Promise<Uint8Array[]>
}

async function compressed(pieces: Uint8Array[], encoding: Encoding): Promise<Uint8Array[]> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = constants
  const coder =
    encoding === 'br'
      ? createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: QUALITY, [BROTLI_PARAM_LGWIN]: WINDOW } })
      : createGzip()
  const sent: Uint8Array[] = []
  await pipeline(pieces, coder, async (coded: AsyncIterable<Uint8Array>) => {
    for await (const piece of coded) sent.push(piece)
  })
  return sent
}

function sizeOf(pieces: Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}

function codedTag(etag: string, encoding: Encoding): string {
  return etag.replace(/"$/, `-${encoding}"`)
}

/** A 304 has the `ETag` of the caller. */
function keepTag(c: AppContext): void {
  const etag = c.res.headers.get('etag') ?? ''
  const known = c.req.header('if-none-match') ?? ''
  const encoding = (['br', 'gzip'] as const).find((each) => known.includes(codedTag(etag, each)))
  if (encoding) c.res.headers.set('ETag', codedTag(etag, encoding))
}
