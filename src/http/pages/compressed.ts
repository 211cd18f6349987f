import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import { hasTag } from '../../platform/etag.ts'
import { type WebAsset, webAssets } from '../../platform/look/web-assets.ts'
import { acceptedEncoding, type Encoding } from '../compression.ts'
import type { AppContext, Env } from '../context.ts'
import type { Hono } from 'hono'
import type { Caches } from '../../platform/config/caches.ts'
import { notFound } from '../problems/problem.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
// Below this size, a compressed page saves no packet.
const SMALLEST = 1_000
// Up to this size it takes less than a millisecond. Handing a page of 18 KiB to another thread costs more: 0.5 to 1 ms.
export const AT_ONCE = 48 * 1024
// A usual page fits into a window of 64 KiB, and setting up the default one of 4 MiB costs 0.5 ms.
export const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 } }
export const GZIP = { level: 6 }

/** Sends a page, compressed if the caller accepts it. A route that calls this declares `accept-encoding`. */
export async function compressedPage(
  c: AppContext,
  text: string,
  status: number,
  headers: Record<string, string>,
): Promise<Response> {
  const encoding = text.length < SMALLEST ? null : acceptedEncoding(c)
  const all = { ...headers, Vary: 'Accept-Encoding', ...(encoding && { 'Content-Encoding': encoding }) }
  if (encoding === null) return c.body(text, status as 200, all)
  return c.body(new Uint8Array(await compress(text, encoding)), status as 200, all)
}

function compress(text: string, encoding: Encoding): Buffer | Promise<Buffer> {
  if (text.length <= AT_ONCE) return encoding === 'br' ? brotliCompressSync(text, BROTLI) : gzipSync(text, GZIP)
  return encoding === 'br' ? toBrotli(text, BROTLI) : toGzip(text, GZIP)
}

/** Sends a built file, or 304 if the caller has it. A route that calls this declares both headers that it reads. */
export function sendAsset(c: AppContext, asset: WebAsset, cacheControl: string): Response {
  const encoding = acceptedEncoding(c)
  // The bytes differ, so each encoding has a tag of its own.
  const etag = `"${asset.etag}${encoding ? `-${encoding}` : ''}"`
  const headers = { 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding' }
  if (hasTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers)
  const body = encoding === 'br' ? asset.brotli : encoding === 'gzip' ? asset.gzip : asset.body
  return c.body(body, 200, {
    ...headers,
    'Content-Type': asset.type,
    'Content-Length': String(body.length),
    // Other websites load the embed script.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...(encoding && { 'Content-Encoding': encoding }),
  })
}

/** Serves the built programs. Their names change with their content, so a browser keeps them for good. */
export function mountAssets(app: Hono<Env>, caches: Caches): void {
  app.get('/assets/web/:name', (c) => {
    const asset = webAssets(caches).file(c.req.param('name'))
    if (!asset) throw notFound()
    return sendAsset(c as AppContext, asset, 'public, max-age=31536000, immutable')
  })
}
