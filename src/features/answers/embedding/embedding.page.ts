import { html, raw } from 'hono/html'
import { LIGHT } from '../../../platform/look/tokens.ts'
import { sourceOf } from '../../../platform/look/content-source.ts'

type Html = ReturnType<typeof html>

/** The page of a hidden frame, which gives the website the rules. */
export function rulesPage(rules: object, script: string): Html {
  const data = JSON.stringify(rules).replaceAll('<', '\\u003c')
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Earshot</title></head><body><script type="application/json" id="rules">${raw(data)}</script><script>${raw(script)}</script></body></html>`
}

export function rulesHeaders(script: string, embedOrigins: string[]): Record<string, string> {
  const framers = embedOrigins.length > 0 ? ["'self'", ...embedOrigins].join(' ') : '*'
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; script-src ${sourceOf(script)}; base-uri 'none'; form-action 'none'; frame-ancestors ${framers}`,
    'Cache-Control': 'public, max-age=60',
    'X-Robots-Tag': 'noindex',
  }
}

const DEMO_STYLE = `
:root{color-scheme:light dark}
body{margin:0 auto;max-width:44rem;padding:2rem 1.25rem 8rem;font:1.0625rem/1.5 system-ui,sans-serif}
h1{font-size:1.75rem;line-height:1.3}
h2{font-size:1.375rem;margin:2.5rem 0 .5rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:1rem;border:1px solid #85828f;border-radius:.625rem;font-size:.9375rem}
label{display:block;font-weight:600}
input,button{min-height:2.75rem;padding:.5rem .875rem;font:inherit;border:1px solid #85828f;border-radius:.625rem}
input{width:min(24rem,100%)}
button{cursor:pointer}
:focus-visible{outline:3px solid ${LIGHT.accent};outline-offset:2px}
`

const DEMO_SCRIPT = `
for (const button of document.querySelectorAll('[data-show]')) {
  button.addEventListener('click', () => {
    const { survey, show } = button.dataset
    voc('reset')
    voc('init', { survey, mode: show, target: '#inline', manual: show !== 'inline' && show !== 'button' })
    if (show !== 'inline' && show !== 'button') voc('open', survey)
  })
}
for (const name of ['ready', 'shown', 'progress', 'completed', 'closed'])
  voc('on', name, (detail) => { document.querySelector('#log').textContent = name + ' ' + JSON.stringify(detail) })
`

const STUB = 'window.voc=window.voc||function(){(voc.q=voc.q||[]).push(arguments)}'

const MODES = [
  ['popup', 'A dialog in the middle of the page.'],
  ['slide_in', 'A card in the corner. The page stays usable.'],
  ['button', 'A button in the corner opens the card.'],
  ['full', 'The survey takes the whole window.'],
  ['inline', 'The survey is part of the page, and as high as it needs.'],
] as const

/** Shows every mode of the embed script, live, with the code for it. */
export function demoPage(survey: string | null, base: string): Html {
  const shown = survey ?? 'srv_…'
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Embed a survey</title><style>${raw(DEMO_STYLE)}</style></head>
<body><main>
<h1>Embed a survey</h1>
<form><label for="survey">Survey id</label> <input id="survey" name="survey" value="${survey ?? ''}" placeholder="srv_…" required> <button>Use it</button></form>
<p>Put this into your page once:</p>
<pre><code>${`<script>${STUB}</script>\n<script async src="${base}/public/embed.js"></script>`}</code></pre>
${MODES.map(
  ([mode, what]) => html`<section><h2>${mode}</h2><p>${what}</p>
<pre><code>${`voc('init', { survey: '${shown}', mode: '${mode}'${mode === 'inline' ? `, target: '#inline'` : ''} })`}</code></pre>
${survey ? html`<p><button type="button" data-show="${mode}" data-survey="${survey}">Show ${mode}</button></p>` : ''}
${mode === 'inline' ? html`<div id="inline"></div>` : ''}</section>`,
)}
<h2>Without code</h2>
<pre><code>${`<script async src="${base}/public/embed.js" data-voc-survey="${shown}" data-voc-mode="slide_in"></script>\n<button data-voc-survey="${shown}">Give feedback</button>\n<div data-voc-survey="${shown}"></div>`}</code></pre>
<h2>Events</h2>
<pre><code id="log">voc('on', 'completed', (detail) => …)</code></pre>
</main>
<script>${raw(STUB)}</script>${survey ? html`<script src="/public/embed.js"></script><script>${raw(DEMO_SCRIPT)}</script>` : ''}
</body></html>`
}

export const DEMO_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; script-src 'self' ${sourceOf(STUB)} ${sourceOf(DEMO_SCRIPT)}; style-src ${sourceOf(DEMO_STYLE)}; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
}
