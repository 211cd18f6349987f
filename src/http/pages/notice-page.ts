import { html, raw } from 'hono/html'
import { wishesIn, bestLanguage } from '../../platform/wishes.ts'
import { directionOf } from '../../platform/text/direction.ts'
import { DARK, declared, LIGHT } from '../../platform/look/tokens.ts'
import type { AppContext } from '../context.ts'
import { sourceOf } from '../../platform/look/content-source.ts'

type Html = ReturnType<typeof html>

const STYLE = `:root{color-scheme:light dark;${declared(LIGHT)}}
@media(prefers-color-scheme:dark){:root{${declared(DARK)}}}
body{margin:0;background:var(--ground);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:36rem;margin:12vh auto;padding:1.5rem}
@media(min-width:40rem){main{padding:2.5rem 3rem;background:var(--paper);border:1px solid var(--line);border-radius:.625rem}.said{background:var(--ground)}.mine{background:var(--accent)}}
h1{font-size:clamp(1.5rem,1.25rem + 1.2vw,2rem);font-weight:600;line-height:1.25;letter-spacing:-.015em;text-wrap:balance;margin:0 0 1rem}
p{margin:0 0 1rem}
a{color:inherit}
.said{width:fit-content;max-width:85%;padding:.625rem .875rem;white-space:pre-line;background:var(--paper);border:1px solid var(--line);border-radius:.625rem}
.unseen{position:absolute;clip-path:inset(50%)}
.mine{margin-inline-start:auto;color:var(--on);background:var(--accent);border-color:var(--accent)}
.soft{color:var(--soft)}
form{margin:0 0 1rem}
label{display:block;font-weight:600;margin:0 0 .375rem}
input{box-sizing:border-box;width:100%;min-height:3.25rem;padding:.75rem 1rem;margin:0 0 1rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:.625rem}
fieldset{margin:0 0 1rem;padding:0;border:0}
legend{padding:0;margin:0 0 .5rem}
.choice{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;margin:0;font-weight:400}
.choice input{width:1.25rem;min-height:1.25rem;margin:0;flex:none;accent-color:var(--accent)}
.wrong{color:var(--wrong);font-weight:600}
button{min-height:3rem;padding:.625rem 1.75rem;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:1px solid var(--accent);border-radius:.625rem;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`

// The page loads nothing from elsewhere and cannot be framed, so that no other site can steal a click on its button.
const HEADERS = headersWith(sourceOf(STYLE))
// The texts of a chart carry their styles.
const WIDE_HEADERS = headersWith("'unsafe-inline'", " img-src 'self';")

const REFERENCE: Record<string, string> = {
  en: 'Reference:',
  de: 'Kennung:',
  fr: 'Référence\u00a0:',
  es: 'Referencia:',
  it: 'Riferimento:',
  nl: 'Kenmerk:',
  pt: 'Referência:',
  pl: 'Identyfikator:',
  ar: 'الرقم المرجعي:',
}

/** Main tags. Every small page has these languages. */
const PAGE_LANGUAGES = Object.keys(REFERENCE)

interface Page {
  language: string
  title: string
  content?: Html | ''
  /** Before the title: a logo. */
  above?: Html | ''
}

export interface Notice extends Page {
  status?: number
  /** Whether it shows the request id. Default: on an error. A page that asks for a password has none yet. */
  hasReference?: boolean
}

/**
 * Sends a small page to a person who followed a link: a sentence, and perhaps a form. An error page shows the request
 * id.
 */
export async function noticePage(
  c: AppContext,
  { status = 200, hasReference = status >= 400, ...page }: Notice,
): Promise<Response> {
  const text = await textOf(page, hasReference ? c.get('requestId') : null)
  return c.body(text, status as 200, HEADERS)
}

/**
 * A page of charts as bytes, so that visits which share it encode it once.
 * @param rules that it adds to the style.
 */
export async function widePage(page: Page, rules: string): Promise<Uint8Array<ArrayBuffer>> {
  return new TextEncoder().encode(await textOf(page, null, rules))
}

export function sendWidePage(c: AppContext, bytes: Uint8Array<ArrayBuffer>): Response {
  return c.body(bytes, 200, WIDE_HEADERS)
}

async function textOf(
  { language, title, content = '', above = '' }: Page,
  reference: string | null,
  rules?: string,
): Promise<string> {
  const page = html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${raw(rules === undefined ? STYLE : `${STYLE}\n${rules}`)}</style></head>
<body><main>${above}<h1>${title}</h1>${content}${reference === null ? '' : html`<p class="soft">${REFERENCE[language] ?? REFERENCE['en']} ${reference}</p>`}</main></body>
</html>`
  return String(await page)
}

function headersWith(styles: string, more = ''): Record<string, string> {
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${styles};${more} form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  }
}

/** True if the caller shows pages, as a browser does. */
export function acceptsPages(c: AppContext): boolean {
  return /\btext\/html\b/i.test(c.req.header('accept') ?? '')
}

/**
 * The language of a page: of those that every page and mail of ours has, the one that the reader is known to read, else
 * the one that the caller accepts most. `en` if there is none.
 */
export function acceptedLanguage(c: AppContext, known?: string | null): string {
  const accepted = wishesIn(c.req.header('accept-language') ?? '')
  return bestLanguage([known, ...accepted], PAGE_LANGUAGES) ?? 'en'
}

// Our pages need no feature of the device, and do not show other sites where a reader came from.
const DEFAULTS = {
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'Referrer-Policy': 'no-referrer',
}

/** Adds to an answer with a page the headers that it does not set by itself. */
export function addPageHeaders(headers: Headers): void {
  if (!/^text\/html\b/i.test(headers.get('content-type') ?? '')) return
  for (const [name, value] of Object.entries(DEFAULTS)) if (!headers.has(name)) headers.set(name, value)
}
