import type { Hono } from 'hono'
import { directionOf } from '../../platform/text/direction.ts'
import { sourceOf } from '../../platform/look/content-source.ts'
import type { Env } from '../context.ts'

const FRAMED = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

const WEBSITE_STYLE = `
:root{color-scheme:light dark}
body{margin:0;padding:28px 24px 120px}
i{display:block;height:10px;margin-block-end:14px;border-radius:5px;background:#85828f;opacity:.28}
i:first-child{width:38%;height:18px;margin-block-end:24px}
i:nth-child(3n){width:92%}
i:nth-child(4n){width:76%}
#here{margin-block:24px}
#here:empty{display:none}
`
const WEBSITE_SCRIPT = `
const { survey, mode, language } = Object.fromEntries(new URLSearchParams(location.search))
const isShown = mode === 'inline' || mode === 'button'
voc('init', { survey, mode, language, target: '#here', manual: !isShown })
if (!isShown) voc('open', survey)
`
const LINES = '<i></i>'.repeat(5)
/** A website with nothing but a survey, which its address names. */
const websiteIn = (direction: string) =>
  `<!doctype html><html dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Earshot</title><style>${WEBSITE_STYLE}</style></head><body>${LINES}<div id="here"></div>${LINES}<script src="/public/embed.js"></script><script>${WEBSITE_SCRIPT}</script></body></html>`

const MAIL_SCRIPT = `
addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data?.html !== 'string') return
  const mail = new DOMParser().parseFromString(data.html, 'text/html')
  document.documentElement.lang = mail.documentElement.lang
  document.documentElement.dir = mail.documentElement.dir
  document.head.replaceChildren(...mail.head.querySelectorAll('style'))
  document.body.replaceWith(mail.body)
})
`
/** Shows the mail that a message brings. */
const MAIL = `<!doctype html><html><head><meta charset="utf-8"><title>Earshot</title></head><body><script>${MAIL_SCRIPT}</script></body></html>`

/**
 * Mounts the pages that the console frames: a website with a survey, and a mail. The policy of the console allows no
 * style of a mail, and a frame without an address of its own would have that policy.
 */
export function mountFrames(app: Hono<Env>): void {
  app.get('/app/frames/website', (c) =>
    c.body(
      websiteIn(directionOf(c.req.query('language') ?? 'en')),
      200,
      headersWith(
        `script-src 'self' ${sourceOf(WEBSITE_SCRIPT)}; style-src ${sourceOf(WEBSITE_STYLE)}; frame-src 'self'`,
      ),
    ),
  )
  // Scripts and handlers of a mail do not run, even if one got through the check of templates.
  app.get('/app/frames/mail', (c) =>
    c.body(
      MAIL,
      200,
      headersWith(
        `sandbox allow-scripts; script-src ${sourceOf(MAIL_SCRIPT)}; style-src 'unsafe-inline'; img-src https: http: data:`,
      ),
    ),
  )
}

function headersWith(policy: string): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; ${policy}; ${FRAMED}`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  }
}
