import type { Hono } from 'hono'
import type { Caches } from '../platform/caches.ts'
import { webAssets } from '../platform/web-assets.ts'
import { sendAsset } from './compressed.ts'
import type { AppContext, Env } from './context.ts'
import { notFound } from './problem.ts'

/** Serves the built programs. Their names change with their content, so a browser keeps them for good. */
export function mountAssets(app: Hono<Env>, caches: Caches): void {
  app.get('/assets/web/:name', (c) => {
    const asset = webAssets(caches).file(c.req.param('name'))
    if (!asset) throw notFound()
    return sendAsset(c as AppContext, asset, 'public, max-age=31536000, immutable')
  })
}
