import { randomBytes } from 'node:crypto'
import { html } from 'hono/html'
import type { Hono } from 'hono'
import type { Caches } from '../../platform/config/caches.ts'
import { assetPath, webAssets } from '../../platform/look/web-assets.ts'
import { compressedPage } from '../pages/compressed.ts'
import type { AppContext, Env } from '../context.ts'
import { mountFrames } from './frames.ts'

/**
 * Mounts the page that the console runs in. All of its screens have this page: the program reads the address. It is a
 * client of the API and holds no session.
 * @param isEmpty whether the server has no workspace yet: then its address leads to the form that makes one.
 */
export function mountConsole(app: Hono<Env>, caches: Caches, baseUrl: string, isEmpty: () => Promise<boolean>): void {
  const show = (c: AppContext) => showConsole(c, caches, baseUrl)
  mountFrames(app)
  let isUsed = false
  app.get('/', async (c) => {
    // Unknown while the database is away: then the next visitor asks again.
    const empty = isUsed ? false : await isEmpty().catch(() => null)
    isUsed = empty === false
    return c.redirect(empty ? '/app/welcome' : '/app')
  })
  app.get('/app', (c) => show(c as AppContext))
  app.get('/app/*', (c) => show(c as AppContext))
}

// Home is light: it has no style of its own.
const HOME = new Set(['/app', '/app/home'])

async function showConsole(c: AppContext, caches: Caches, baseUrl: string): Promise<Response> {
  c.set('isForPeople', true)
  const assets = webAssets(caches)
  const names = ['console.js', 'console.css', 'screens.css', 'icons.svg']
  const [script, style, screens, icons] = names.map((name) => assets.program(name))
  if (!script || !style || !screens || !icons) return c.text('The pages are not built. Run `npm run build`.\n', 503)
  const nonce = randomBytes(16).toString('base64url')
  const first = [script, ...assets.first.map((name) => assets.file(name))].filter((asset) => asset !== undefined)
  const page = html`<!doctype html>
<html lang="en" dir="ltr">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Earshot</title>
<meta name="color-scheme" content="light dark"><meta name="earshot:icons" content="${assetPath(icons)}"><meta name="earshot:base" content="${baseUrl}"><meta name="earshot:screens" content="${assetPath(screens)}">
<link rel="stylesheet" href="${assetPath(style)}">${HOME.has(c.req.path) ? '' : html`<link rel="stylesheet" href="${assetPath(screens)}">`}
${first.map((asset) => html`<link rel="modulepreload" href="${assetPath(asset)}" nonce="${nonce}">`)}
<script type="module" src="${assetPath(script)}" nonce="${nonce}"></script></head>
<body><div id="console"></div><noscript><p>The console needs JavaScript. Surveys do not.</p></noscript></body>
</html>`
  return compressedPage(c, String(await page), 200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyWith(nonce),
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  })
}

// Styles have no exception: React sets them through the DOM, which the policy allows. A preview is framed from here.
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
