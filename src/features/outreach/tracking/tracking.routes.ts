import type { AppContext } from '../../../http/context.ts'
import { acceptedLanguage, acceptsPages, noticePage } from '../../../http/pages/notice-page.ts'
import { Problem } from '../../../http/problems/problem.ts'
import { systemRoute, type Route } from '../../../http/routes/route.ts'
import { followClick, recordOpen } from './tracking.service.ts'
import type { Visit } from './visitors.ts'
import type { Feature } from '../../../platform/feature.ts'

const tag = 'Tracking'
const params = { token: 'text' } as const
// One transparent pixel.
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

export const trackOpenRoute = systemRoute({
  method: 'get',
  path: '/public/track/open/:token',
  operationId: 'trackOpen',
  summary: 'Load the picture that counts an opened mail',
  description:
    'The token, with `.gif` after it. The answer is always the same picture. Wrong tokens and known programs ' +
    'leave no trace.',
  tag,
  params,
  headers: ['user-agent', 'sec-purpose', 'purpose'],
  response: { status: 200, contentType: 'image/gif' },
  async handler(system, { params: { token }, c }) {
    await recordOpen(system, token.replace(/\.gif$/, ''), visitOf(c))
    return c.body(PIXEL, 200, { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store' })
  },
})

export const trackClickRoute = systemRoute({
  method: 'get',
  path: '/public/track/click/:token',
  operationId: 'trackClick',
  summary: 'Follow a link of a mail',
  description: 'The target is part of the signed token, and is checked again.',
  tag,
  params,
  headers: ['accept', 'accept-language', 'user-agent', 'sec-purpose', 'purpose'],
  response: { status: 302, headers: ['Location'], description: 'The target, in `Location`.' },
  problems: { 404: 'This server did not make the token. HTML if the client accepts it.' },
  async handler(system, { params: { token }, c }) {
    try {
      const target = await followClick(system, token, visitOf(c))
      return c.body(null, 302, { Location: target, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404 || !acceptsPages(c)) throw error
      const { language, title } = goneIn(acceptedLanguage(c))
      return noticePage(c, { status: 404, language, title })
    }
  },
})

function visitOf(c: AppContext): Visit {
  return {
    userAgent: c.req.header('user-agent') ?? '',
    method: c.req.method,
    purpose: c.req.header('sec-purpose') ?? c.req.header('purpose') ?? '',
  }
}

const GONE: Record<string, string> = {
  en: 'This link does not work any more.',
  de: 'Dieser Link funktioniert nicht mehr.',
  fr: 'Ce lien ne fonctionne plus.',
  es: 'Este enlace ya no funciona.',
  it: 'Questo link non funziona più.',
  nl: 'Deze link werkt niet meer.',
  pt: 'Este link não funciona mais.',
  pl: 'Ten link już nie działa.',
  ar: 'لم يعد هذا الرابط يعمل.',
}

/** Says that a link leads nowhere, in the language or in English. */
function goneIn(language: string): { language: string; title: string } {
  const title = GONE[language]
  return title === undefined ? { language: 'en', title: GONE['en'] ?? '' } : { language, title }
}

export const tracking = { name: 'tracking', routes: [trackClickRoute, trackOpenRoute] } satisfies Feature<Route>
