import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Hono } from 'hono'
import type { Env } from './context.ts'

// `npm run check` compares this file with the routes. Building it at start took 160 ms.
const DOCUMENT = new URL('../../openapi.json', import.meta.url)

// Our own files, so that the page works offline and no other server learns of the visit.
const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Earshot API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, tryItOutEnabled: true, validatorUrl: null, persistAuthorization: false })
`

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Mounts `/openapi.json` and the browsable reference at `/docs`. */
export function mountReference(app: Hono<Env>): void {
  app.get('/', (c) => c.redirect('/docs'))
  app.get('/openapi.json', async (c) => c.body(await readFile(DOCUMENT), 200, { 'Content-Type': 'application/json' }))
  app.get('/docs', (c) => c.html(PAGE, 200, { 'Content-Security-Policy': POLICY }))
  app.get('/docs/start.js', (c) => c.body(START, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }))
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, async (c) =>
      c.body(await readFile(join(folder, name)), 200, {
        'Content-Type': type,
        'Cache-Control': 'public, max-age=3600',
      }),
    )
  }
}
