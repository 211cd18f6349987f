import { cacheOf } from '../../platform/config/caches.ts'
import { acceptedEncoding } from '../compression.ts'
import type { AppContext } from '../context.ts'
import { completeStem, compressStem, type Stem } from './stem.ts'

/** A page without its end, as it is sent in one encoding. */
export interface CachedPage extends Stem {
  headers: Record<string, string>
}

const PAGES = cacheOf<string, CachedPage>({
  maxSize: 32 * 1024 * 1024,
  sizeOf: ({ bytes, headers }) => bytes.length + JSON.stringify(headers).length + 1_000,
})

/** A page that is alike for all with this key, in the encoding that the caller reads. */
export function findStem(c: AppContext, key: string): CachedPage | undefined {
  return c.get('system').caches.of(PAGES).get(keyOf(c, key))
}

/** Keeps the beginning of a page for others with this key. */
export async function cacheStem(
  c: AppContext,
  key: string,
  text: string,
  headers: Record<string, string>,
): Promise<CachedPage> {
  const page = { ...(await compressStem(text, acceptedEncoding(c))), headers }
  c.get('system').caches.of(PAGES).set(keyOf(c, key), page)
  return page
}

/** Sends a kept page with the end for this caller. A route that calls this declares `accept-encoding`. */
export function sendStem(c: AppContext, page: CachedPage, end: string, headers: Record<string, string>): Response {
  const body = completeStem(page, end)
  return c.body(body, 200, {
    ...headers,
    Vary: 'Accept-Encoding',
    'Content-Length': String(body.length),
    ...(page.encoding && { 'Content-Encoding': page.encoding }),
  })
}

function keyOf(c: AppContext, key: string): string {
  return `${acceptedEncoding(c)} ${key}`
}
