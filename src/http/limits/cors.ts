import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

// Browsers show these headers to scripts of other origins only if they are named.
const EXPOSED = 'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id'
const LOCAL = /^https?:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/

/**
 * Allows the listed origins, and every `localhost` or `127.0.0.1` origin (docs/specification.md, "Browsers").
 * There are no cookies, so no credentials are allowed.
 */
export function isAllowedOrigin(origin: string, listed: string[]): boolean {
  return listed.includes(origin) || LOCAL.test(origin)
}

export function corsFor(listed: string[]): MiddlewareHandler {
  const preflight = cors({
    origin: (origin) => (isAllowedOrigin(origin, listed) ? origin : null),
    allowHeaders: ['authorization', 'content-type'],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 600,
  })
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c, next)
    await next()
    // The library would set `Vary` on a new response and copy the body through a stream.
    const origin = c.req.header('origin') ?? ''
    if (isAllowedOrigin(origin, listed)) {
      c.res.headers.set('Access-Control-Allow-Origin', origin)
      c.res.headers.set('Access-Control-Expose-Headers', EXPOSED)
    }
    c.res.headers.append('Vary', 'Origin')
  }
}
