import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Hono } from 'hono'
import { isKnown } from '../../platform/etag.ts'
import { startSlices } from '../../platform/loop/turns.ts'
import { acceptedEncoding } from '../compression.ts'
import type { AppContext, Env } from '../context.ts'
import type { ApiDocument } from './document.ts'
import { referencePage } from './page.ts'

// `npm run check` compares this file with the routes. Building it at start took 160 ms.
const DOCUMENT = new URL('../../../openapi.json', import.meta.url)
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Page {
  plain: Buffer
  brotli: Buffer
  gzip: Buffer
  etag: string
  contentType: string
}

/** Mounts `/openapi.json` and the reference at `/docs`. Nothing comes from another origin. */
export function mountReference(app: Hono<Env>): void {
  const style = once(async () => pageOf(await readFile(new URL('reference.css', import.meta.url)), 'text/css'))
  const script = once(async () => pageOf(await readFile(new URL('browser.js', import.meta.url)), 'text/javascript'))
  const page = once(renderPage)
  const description = once(async () => pageOf(compact(await readFile(DOCUMENT, 'utf8')), 'application/json'))
  app.get('/openapi.json', async (c) => send(c, await description()))
  app.get('/docs', async (c) => send(c, await page(), { 'Content-Security-Policy': POLICY }))
  app.get('/docs/reference.css', async (c) => send(c, await style()))
  app.get('/docs/reference.js', async (c) => send(c, await script()))
}

async function renderPage(): Promise<Page> {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as ApiDocument
  const slices = startSlices()
  const pieces: string[] = []
  for (const piece of referencePage(document, { style: '/docs/reference.css', script: '/docs/reference.js' })) {
    pieces.push(piece)
    if (slices.isOver()) await slices.next()
  }
  return pageOf(Buffer.from(pieces.join('')), 'text/html')
}

/** Without its line breaks and indents. Reading and writing it as JSON would hold the event loop for 25 ms. */
function compact(pretty: string): Buffer {
  return Buffer.from(pretty.replace(/^ *("(?:[^"\\]|\\.)*":) /gm, '$1').replace(/\n */g, ''))
}

async function pageOf(plain: Buffer, type: string): Promise<Page> {
  const brotli = await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  return { plain, brotli, gzip: await promisify(gzip)(plain), etag, contentType: `${type}; charset=utf-8` }
}

function send(c: AppContext, page: Page, headers: Record<string, string> = {}): Response {
  const shared = { ETag: page.etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ...headers }
  if (isKnown(c.req.header('if-none-match'), page.etag)) return c.body(null, 304, shared)
  const encoding = acceptedEncoding(c)
  const bytes = encoding === 'br' ? page.brotli : encoding === 'gzip' ? page.gzip : page.plain
  // The kept bytes themselves: a copy for each reader would stay until they have read it.
  return c.body(bytes as Buffer<ArrayBuffer>, 200, {
    ...shared,
    'Content-Type': page.contentType,
    ...(encoding && { 'Content-Encoding': encoding }),
  })
}

/** Makes a page at the first request. A failure is tried again by the next. */
function once(make: () => Promise<Page>): () => Promise<Page> {
  let made: Promise<Page> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}
