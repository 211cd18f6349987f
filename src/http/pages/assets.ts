import type { Hono } from 'hono'
import type { Caches } from '../../platform/config/caches.ts'
import { webAssets } from '../../platform/look/web-assets.ts'
import { sendAsset } from './compressed.ts'
import type { AppContext, Env } from '../routes/context.ts'
import { notFound } from '../problems/problem.ts'

/** Serves the built programs. Their names change with their content, so a browser keeps them for good. */
export function mountAssets(app: Hono<Env>, caches: Caches): void {
  app.get('/assets/web/:name', (c) => {
    const asset = webAssets(caches).file(c.req.param('name'))
    if (!asset) throw notFound()
    return sendAsset(c as AppContext, asset, 'public, max-age=31536000, immutable')
  })
}
